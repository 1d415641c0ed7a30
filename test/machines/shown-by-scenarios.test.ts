/** Faults of the charts that explored scenarios have revealed, each in the shortest run that shows it. */

import {expect, test} from 'vitest';
import type {AnyEventObject} from 'xstate';

import type {AgentSettings, HilMode} from '../../machines/domain/settings.ts';
import {
  agentMachine,
  askMachine,
  executionMachine,
  taskMachine,
  toolCallMachine,
  turnLoopMachine,
} from '../../machines/index.ts';
import {withBug} from '../support/buggy.ts';
import {crash} from '../support/hand-performer.ts';
import {type Scenario, play, type Played} from '../support/played.ts';
import {failOnWarnings} from '../support/warnings.ts';
import {oneRead, plansOf, runOnce, type Shape, writeThenRead} from './events/agent-plans.ts';
import {executingAgents} from './events/agent.ts';
import {type Answers, answering} from './events/answers.ts';
import {asks} from './events/ask.ts';
import {executions} from './events/execution.ts';
import {gateScenario} from './events/human-gate.ts';
import {calling, callingAll, ran, ruling, saying} from './events/outcomes.ts';
import {quietly} from './events/quietly.ts';
import {policySeat, smallSettings} from './events/settings.ts';
import {turnLoops} from './events/turn-loop.ts';
import {listIn, requestsOf, valueIn} from './laws-record.ts';

failOnWarnings();

type Place = Omit<Scenario, 'machine'>;

function withAnswers(scenario: Place, answers: Answers): Place {
  const ours = answering(answers);
  return {
    ...scenario,
    outcomes: (...asked) => {
      const own = ours(...asked);
      return own.length > 0 ? own : scenario.outcomes(...asked);
    },
  };
}

/** Takes first moves until a request or timer with the path `end` is open, or until there are no moves. */
function runUntil(scenario: Scenario, end: string): Played {
  const played = play(scenario);
  const isThere = () => end !== '' && played.open().some((path) => path.endsWith(end));
  for (let [move] = played.moves(); move && !isThere(); [move] = played.moves()) played.apply(move);
  return played;
}

function runOut(scenario: Scenario): Played {
  return runUntil(scenario, '');
}

function send(played: Played, event: AnyEventObject): void {
  played.apply({type: 'send', event});
}

function agentOf(
  shape: Shape,
  answers: Answers = {},
  agent: Partial<AgentSettings> = {},
  hilMode: HilMode = 'interactive',
): Scenario {
  const {draft} = plansOf(shape);
  const planned: Answers = {
    plan: (before) => [draft(before + 1)],
    'review-plan': [ruling('approve')],
  };
  return {
    ...withAnswers(quietly(executingAgents), {...planned, ...answers}),
    machine: agentMachine,
    input: {
      request: 'do it',
      workspace: '/w',
      settings: smallSettings(hilMode, [policySeat], agent),
    },
  };
}

test('a gate whose question crashes does not approve', () => {
  const played = play(gateScenario('auto_approve', 'protected'));
  played.apply({type: 'settle', path: 'subject/person', port: 'askHuman', outcome: crash});
  expect(played.output()).toMatchObject({decision: {decision: 'reject'}});
});

test('after a person has switched back to interactive, no mode answers for them', () => {
  const answers = {'review-action': [ruling('abstain')], 'ask-action': [{decision: 'reject'}]};
  const played = runUntil(agentOf(runOnce, answers, {}, 'auto_approve'), '/review/preview');
  send(played, {type: 'settings.changed', hilMode: 'interactive'});
  for (let [move] = played.moves(); move; [move] = played.moves()) played.apply(move);
  expect(requestsOf(played.log, 'runTool')).toEqual([]);
});

test('after a cancel no answer passes that the guardrails have not checked', () => {
  const place = withAnswers(quietly(asks), {ask: [saying('secret')]});
  const played = runUntil({...place, machine: askMachine}, 'subject/output');
  send(played, {type: 'user.cancel'});
  expect(valueIn(played.output(), 'answer')).toBeUndefined();
});

function isOfFirstTask(holder: unknown): boolean {
  return valueIn(holder, 'task') === 'a';
}

test('the lock is free again when its holder has crashed', () => {
  const toolCall = withBug(toolCallMachine, {at: 'xstate.done.actor.run', isIn: isOfFirstTask});
  const played = runOut({
    ...quietly(executions, 'three risky'),
    machine: executionMachine.provide({
      actors: {task: taskMachine.provide({actors: {toolCall}})},
    }),
  });
  expect(played.status()).toBe('done');
});

test('a task that was running at a cancel is not reported as not run', () => {
  const played = runUntil(agentOf(writeThenRead), '/call/run');
  send(played, {type: 'user.cancel'});
  expect(listIn(played.output(), 'tasks')[0]).not.toMatchObject({output: 'not run'});
});

test('the third identical call of one reply does not run', () => {
  const [x, y] = [{path: 'x'}, {path: 'y'}];
  const reply = callingAll(['read_file', x], ['read_file', x], ['read_file', x], ['read_file', y]);
  const played = runOut({
    ...withAnswers(quietly(turnLoops, 'repeats itself'), {
      act: (before) => [before === 0 ? reply : saying('done')],
    }),
    machine: turnLoopMachine,
  });
  expect(requestsOf(played.log, 'runTool').length).toBeLessThan(3);
});

test('a task whose output is "not reached" is listed after replanning', () => {
  const played = runOut(
    agentOf(oneRead, {
      runTool: (before) => [{kind: 'succeeded', text: before === 0 ? 'not reached' : 'done'}],
      evaluate: (before) => [calling('evaluate_result', {successful: before > 0, problems: []})],
    }),
  );
  const listed = listIn(played.output(), 'tasks').map((task) => valueIn(task, 'id'));
  expect(listed).toEqual(['plan-1-a', 'plan-2-a']);
});

test('a result that a person rejects is not reported as a rejected plan', () => {
  const answers = {'review-result': [ruling('abstain')], 'ask-result': [{decision: 'reject'}]};
  const played = runOut(agentOf(oneRead, answers, {requireFinalReview: true}));
  expect(valueIn(played.output(), 'summary')).not.toContain('rejected the plan');
});

test('no model is asked when no time is left', () => {
  const played = runOut({
    ...quietly(turnLoops, 'out of time'),
    outcomes: answering({act: [calling('read_file', {path: 'x'})], runTool: [ran]}),
    machine: turnLoopMachine,
  });
  expect(requestsOf(played.log, 'callModel')).toHaveLength(1);
});
