/**
 * The closing answer: the report of the only worker, or a model answers the request from the results; the `evidence` policy
 * checks the answer.
 *
 * (checkingReport) → written; writing → (checking) → written; unwritten, when there is no usable answer
 */

import {assign, setup} from 'xstate';

import {when} from '../../../actor-end.ts';
import {hasClaims} from '../../../claims/claims.ts';
import type {ModelOutcome, ModelRequest} from '../../../domain/model.ts';
import {modelCallMachine} from '../../../model-call.ts';
import {type PortOutcome, screenProposal} from '../../../ports.ts';
import {personWords, quotedText, quotingRule} from '../../../prompts/section-text.ts';
import {inheritedSection, type Section, writeSections} from '../../../prompts/sections.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import {rejectionReasons} from '../../../questions/ballot.ts';
import type {Work} from '../agent-state.ts';
import {openText, resultsText} from '../evaluation/results-text.ts';
import {textCheck} from '../evaluation/verdict.ts';
import type {PlanRun} from '../execution/open-work.ts';

export interface ClosingInput {
  readonly work: Work;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  /** The report of a worker that answers the request. Absent: the model writes the answer. */
  readonly report?: string | undefined;
}

interface ClosingContext extends ClosingInput {
  readonly answer: string;
}

/** The answer is empty if the model gave no usable one. A closing never fails. */
export interface ClosingOutput {
  readonly answer: string;
}

/** After this time the run ends without an answer of the model. */
const deadlineMs = 120_000;

/** In UTF-16 units. A longer answer is not used. */
const maxAnswer = 1_500;

export const closingMachine = setup({
  types: {} as {context: ClosingContext; input: ClosingInput; output: ClosingOutput},
  actors: {screenProposal, modelCall: modelCallMachine},
  actions: {
    takeReport: assign(({context: {report = ''}}) => ({answer: report})),
    takeAnswer: assign((_, outcome: ModelOutcome) => ({answer: answerOf(outcome)})),
  },
  guards: {
    hasReport: ({context: {report = ''}}) => isUsable(report),
    isUsable: (_, outcome: ModelOutcome) => isUsable(answerOf(outcome)),
    isUsableClaim: (_, outcome: ModelOutcome) =>
      isUsable(answerOf(outcome)) && hasClaims(answerOf(outcome)),
    isContradicted: (_, {ballots}: PortOutcome<'screenProposal'>) =>
      rejectionReasons(ballots).length > 0,
  },
  delays: {deadline: deadlineMs},
}).createMachine({
  id: 'closing',
  context: ({input}) => ({...input, answer: ''}),
  initial: 'opened',
  states: {
    opened: {
      tags: 'choice',
      always: [
        {guard: 'hasReport', target: 'checkingReport', actions: 'takeReport'},
        {target: 'writing'},
      ],
    },
    checkingReport: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => textCheck({...context.work, ...context}, context.answer),
        onDone: [when('isContradicted', 'writing'), {target: 'written'}],
        onError: 'writing',
      },
    },
    writing: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => closingRequest(context),
        onDone: [
          when('isUsableClaim', 'checking', 'takeAnswer'),
          when('isUsable', 'written', 'takeAnswer'),
          {target: 'unwritten'},
        ],
        onError: 'unwritten',
      },
      after: {deadline: 'unwritten'},
    },
    checking: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => textCheck({...context.work, ...context}, context.answer),
        onDone: [when('isContradicted', 'unwritten'), {target: 'written'}],
        onError: 'unwritten',
      },
    },
    written: {type: 'final', output: ({context: {answer}}) => ({answer})},
    unwritten: {type: 'final', output: {answer: ''}},
  },
  output: ({event}) => event.output as ClosingOutput,
});

function answerOf(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function isUsable(answer: string): boolean {
  return answer !== '' && answer.length <= maxAnswer;
}

/** `isWithheld`: the answer is not streamed before it is checked. */
function closingRequest(input: ClosingInput): ModelRequest {
  const {agent, context, maxOutputTokens} = input.work.settings;
  return {
    purpose: 'close',
    model: agent.decisionModel,
    system: closingSystem,
    transcript: openTranscript(
      closingMessage({...input.work, ...input, maxResults: context.maxTotalBytes}),
    ),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens,
    isWithheld: true,
  };
}

// The prompt of the model that answers the request after its tasks have ended.

/** The maximum length of an answer that prompts ask for, in characters. */
export const wantedLength = 900;

const closingSystem = `You answer a request after its tasks have ended. Write plain text for the person who asked, \
in the language of the request, in at most ${wantedLength} characters. Begin with the answer to the request. Then say what was done and \
where, what was found, and what was not done. Use only the results below: the calls below "Done" with their status and \
exit code are known, and the report of a worker is only a claim. Do not say that something was written, run or tested \
unless a call did it. Do not repeat raw output, and do not offer more work.
${quotingRule}`;

export interface ClosingBrief {
  readonly request: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  readonly runs: readonly PlanRun[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function closingMessage({
  request,
  inherited,
  pendingMessages,
  runs,
  maxResults,
}: ClosingBrief): string {
  return writeSections([
    ['Request', personWords(request)],
    inheritedSection(inherited),
    ...pendingMessages,
    ['Objective', quotedText(runs.at(-1)?.plan.objective)],
    ['Results', resultsText(runs, maxResults)],
    ['Not done', openText(runs)],
  ]);
}
