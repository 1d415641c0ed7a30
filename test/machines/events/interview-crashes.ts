/** Interviews with a bug in one of their agents. */

import type {AnyStateMachine} from 'xstate';

import {agentLoopMachine} from '../../../machines/forms/interview/agents/agent-loop.ts';
import {architectMachine} from '../../../machines/forms/interview/agents/architect.ts';
import {greeterMachine} from '../../../machines/forms/interview/agents/greeter.ts';
import {interviewerMachine} from '../../../machines/forms/interview/agents/interviewer.ts';
import {confirmationMachine} from '../../../machines/forms/interview/confirmation.ts';
import {openDialogue} from '../../../machines/forms/interview/dialogue.ts';
import {exchangeMachine} from '../../../machines/forms/interview/exchange.ts';
import {fieldReviewerMachine} from '../../../machines/forms/interview/field/field-reviewer.ts';
import {fieldMachine} from '../../../machines/forms/interview/field/field.ts';
import {agentSettings} from '../../../machines/forms/interview/interview-settings.ts';
import {interviewMachine} from '../../../machines/forms/interview/interview.ts';
import {modelCallMachine} from '../../../machines/model-call.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {questionMachine} from '../../../machines/questions/question.ts';
import {type Bug, withBug} from '../../support/buggy.ts';
import {form, interviews, known, settingsOf} from './interview.ts';
import {type Crash, quietly} from './quietly.ts';

const bug = {message: 'a bug in a chart'};
const ofInterview = {status: 'error', error: bug};
const ofAgent = {move: {to: 'failure', failure: bug}};

const start = ['xstate.init'];
const [led, byRule] = ['test/leader', 'offline/offline'].map((model) =>
  agentSettings(settingsOf(model)),
);
const dialogue = openDialogue(form, known);
const stranger = openDialogue(form, {});

/** A part of an interview, run by itself. */
function alone(
  machine: AnyStateMachine,
  input: object,
  world = 'leads, which',
): ReturnType<Crash['scenario']> {
  return {...quietly(interviews, world), machine, input};
}

export const interviewCrashes: readonly Crash[] = [
  {
    name: 'the greeter',
    at: [...start, 'xstate.done.actor.reading'],
    transition: 'interview.talking.greeting xstate.error.actor.greeter → errored',
    scenario: (one) => whole('with somebody unknown', {greeter: withBug(greeterMachine, one)}),
    output: ofInterview,
  },
  {
    name: 'the architect',
    at: [...start, 'xstate.done.actor.plan'],
    transition: 'interview.talking.designing xstate.error.actor.architect → errored',
    scenario: (one) => whole('leads, which', {architect: withBug(architectMachine, one)}),
    output: ofInterview,
  },
  {
    name: 'the interviewer',
    at: [...start, 'xstate.done.actor.field'],
    transition: 'interview.talking.interviewing xstate.error.actor.interviewer → errored',
    scenario: (one) => whole('leads, which', {interviewer: withBug(interviewerMachine, one)}),
    output: ofInterview,
  },
  {
    name: 'the confirmation',
    at: [...start, 'xstate.done.actor.exchange'],
    transition: 'interview.talking.confirming xstate.error.actor.confirmation → errored',
    scenario: (one) => whole('leads, which', {confirmation: withBug(confirmationMachine, one)}),
    output: ofInterview,
  },
  {
    name: 'the pause',
    at: [...start, 'xstate.done.actor.person'],
    transition: 'interview.paused xstate.error.actor.pause → errored',
    scenario: (one) => whole('pauses at once', {exchange: withBug(exchangeMachine, one)}),
    output: ofInterview,
  },
  {
    name: 'the loop of a greeter',
    at: [...start, 'xstate.done.actor.model'],
    transition: 'greeter.thinking xstate.error.actor.agent → failed',
    scenario: (one) =>
      alone(
        greeterMachine.provide({actors: {agentLoop: withBug(agentLoopMachine, one)}}),
        {dialogue: stranger, settings: led},
        'a greeter that is a model',
      ),
    output: ofAgent,
  },
  ...exchanges(),
  {
    name: 'the question to an architect',
    at: [...start, 'xstate.done.actor.call'],
    transition: 'architect.ordering xstate.error.actor.plan → ordered',
    scenario: (one) =>
      alone(architectMachine.provide({actors: {question: withBug(questionMachine, one)}}), {
        dialogue,
        settings: led,
      }),
    output: {move: {to: 'next'}},
  },
  {
    name: 'a field',
    at: [...start, 'xstate.done.actor.exchange'],
    transition: 'interviewer.conducting xstate.error.actor.field → failed',
    scenario: (one) =>
      alone(interviewerMachine.provide({actors: {field: withBug(fieldMachine, one)}}), {
        dialogue,
        settings: byRule,
      }),
    output: ofAgent,
  },
  {
    name: 'the loop of an interviewer',
    at: [...start, 'xstate.done.actor.model'],
    transition: 'field.interviewing.thinking xstate.error.actor.interviewer → failed',
    scenario: (one) =>
      alone(fieldMachine.provide({actors: {agentLoop: withBug(agentLoopMachine, one)}}), {
        dialogue,
        settings: led,
        field: 'name',
      }),
    output: ofAgent,
  },
  {
    name: 'the reviewer of a field',
    at: [...start, 'xstate.done.actor.check'],
    transition: 'field.reviewing xstate.error.actor.reviewer → failed',
    scenario: (one) =>
      alone(fieldMachine.provide({actors: {fieldReviewer: withBug(fieldReviewerMachine, one)}}), {
        dialogue,
        settings: led,
        field: 'name',
      }),
    output: ofAgent,
  },
  {
    name: 'the question to a reviewer',
    at: [...start, 'xstate.done.actor.call'],
    transition: 'field-reviewer.judging xstate.error.actor.review → failed',
    scenario: (one) =>
      alone(fieldReviewerMachine.provide({actors: {question: withBug(questionMachine, one)}}), {
        dialogue,
        settings: led,
        field: 'name',
      }),
    output: {passed: false},
  },
  {
    name: 'the model call of a loop',
    at: [...start, 'xstate.done.actor.model'],
    transition: 'agent-loop.thinking xstate.error.actor.model → stuck',
    scenario: (one) =>
      alone(agentLoopMachine.provide({actors: {modelCall: withBug(modelCallMachine, one)}}), {
        agent: 'interviewer',
        dialogue,
        field: 'name',
        transcript: openTranscript('Ask.'),
        canReview: false,
        model: 'test/leader',
        system: '',
        maxLoops: 2,
        maxOutputTokens: 100,
      }),
    output: {kind: 'stuck'},
  },
];

function whole(
  world: string,
  actors: NonNullable<Parameters<typeof interviewMachine.provide>[0]['actors']>,
) {
  return {...quietly(interviews, world), machine: interviewMachine.provide({actors})};
}

function buggy(one: Bug) {
  return {actors: {exchange: withBug(exchangeMachine, one)}};
}

/** Crashes of the exchange with a person, in each agent that has one. */
function exchanges(): Crash[] {
  const at = [...start, 'xstate.done.actor.person'];
  return [
    {
      name: 'the exchange of a greeter that is a model',
      at,
      transition: 'greeter.conversing xstate.error.actor.exchange → failed',
      scenario: (one) =>
        alone(
          greeterMachine.provide(buggy(one)),
          {dialogue: stranger, settings: led},
          'a greeter that is a model',
        ),
      output: ofAgent,
    },
    {
      name: 'the exchange of a greeter',
      at,
      transition: 'greeter.posing xstate.error.actor.exchange → failed',
      scenario: (one) =>
        alone(greeterMachine.provide(buggy(one)), {dialogue: stranger, settings: byRule}),
      output: ofAgent,
    },
    {
      name: 'the exchange on a field',
      at,
      transition: 'field.interviewing.conversing xstate.error.actor.exchange → failed',
      scenario: (one) =>
        alone(fieldMachine.provide(buggy(one)), {dialogue, settings: byRule, field: 'name'}),
      output: ofAgent,
    },
    {
      name: 'the exchange of a confirmation',
      at,
      transition: 'confirmation.showing xstate.error.actor.exchange → failed',
      scenario: (one) => alone(confirmationMachine.provide(buggy(one)), {dialogue}),
      output: ofAgent,
    },
  ];
}
