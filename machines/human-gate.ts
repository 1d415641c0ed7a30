/**
 * A gate where a person decides what the panel can't, or the mode decides instead.
 *
 * awaitingMode → awaitingPerson → approved / rejected / edited / revised / resolved
 */

import {assign, setup} from 'xstate';

import {outputIn} from './actor-end.ts';
import {readAllowRule} from './domain/allow-rule.ts';
import {
  type GateDecision,
  type HumanDecision,
  type HumanQuestion,
  isApproval,
  needsPerson,
} from './domain/human.ts';
import type {Decision} from './domain/result.ts';
import {isUnjudged, isVetoed, type ReviewRound, vetoText} from './domain/review.ts';
import type {HilMode} from './domain/settings.ts';
import {report} from './facts/record.ts';
import {askHuman, type Delivered} from './ports.ts';
import {type ModeReported, modeWatch} from './tree/mode.ts';
import {pathOf} from './tree/path.ts';

export interface HumanGateInput {
  readonly question: HumanQuestion;
}

export interface HumanGateOutput {
  readonly decision: HumanDecision;
  readonly by: 'person' | 'auto_reject' | 'auto_approve';
}

export interface Answer extends HumanGateOutput {
  /** Epoch ms; absent when it is not known. */
  readonly at?: number;
  /** The gate that the person named. */
  readonly gate?: string;
}

export interface HumanGateContext extends HumanGateInput {
  /** A refusal until somebody answers. */
  readonly answer: Answer;
}

export const humanGateMachine = setup({
  types: {} as {
    context: HumanGateContext;
    input: HumanGateInput;
    output: HumanGateOutput;
    events: ModeReported;
    tags: 'waitsForPerson' | 'failure';
  },
  actors: {askHuman, modeWatch},
  actions: {
    takeDecision: assign((_, answer: Answer) => ({answer})),
    takeAutomatic: assign(({context, event}) => ({
      answer: automaticAnswer(context.question, event.hilMode),
    })),
    reportDecision: report(({context: {question, answer}, self}) => ({
      ...answer.decision,
      ...recordedDecision(answer, question),
      type: 'human.decided',
      gate: answer.gate ?? pathOf(self),
      by: answer.by,
      proposalHash: question.proposalHash,
      detail: answer.at === undefined ? {} : {at: answer.at},
    })),
    reportWords: report(({context: {answer}}) => wordsOf(answer)),
    reportRule: report(({context}) => ruleMade(context)),
    warnAutoApproved: report(({context}) => ({
      type: 'warning',
      message: `auto_approve answered for a person: ${context.question.reason}`,
    })),
  },
  guards: {
    isAutoRejected: ({context}, hilMode: HilMode) =>
      hilMode === 'auto_reject' || (hilMode === 'auto_approve' && isLeftVetoed(context.question)),
    isAutoApproved: ({context}, hilMode: HilMode) =>
      hilMode === 'auto_approve' && !isForPersonAlone(context.question),
    isForPerson: ({context}, hilMode: HilMode) =>
      hilMode === 'interactive' ||
      (hilMode === 'auto_approve' && isForPersonAlone(context.question)),
    isApproval: (_, decision: HumanDecision) => isApproval(decision),
    isRejection: (_, {decision}: HumanDecision) => decision === 'reject',
    isEdit: (_, {decision}: HumanDecision) => decision === 'edit',
    isRevision: (_, {decision}: HumanDecision) => decision === 'revise',
  },
}).createMachine({
  id: 'human-gate',
  context: ({input: {question}}) => ({question, answer: refusal(question)}),
  initial: 'open',
  states: {
    open: {
      invoke: {src: 'modeWatch', id: 'mode', onError: 'rejected'},
      initial: 'awaitingMode',
      states: {
        awaitingMode: {
          on: {
            'mode.reported': {
              guard: {type: 'isForPerson', params: ({event}) => event.hilMode},
              target: 'awaitingPerson',
            },
          },
        },
        awaitingPerson: {
          tags: 'waitsForPerson',
          invoke: {
            src: 'askHuman',
            id: 'person',
            input: ({context}) => context.question,
            onDone: [
              {
                guard: {type: 'isApproval', params: outputIn},
                target: '#human-gate.approved',
                actions: {type: 'takeDecision', params: ({event}) => byPerson(event.output)},
              },
              {
                guard: {type: 'isRejection', params: outputIn},
                target: '#human-gate.rejected',
                actions: {type: 'takeDecision', params: ({event}) => byPerson(event.output)},
              },
              {
                guard: {type: 'isEdit', params: outputIn},
                target: '#human-gate.edited',
                actions: {type: 'takeDecision', params: ({event}) => byPerson(event.output)},
              },
              {
                guard: {type: 'isRevision', params: outputIn},
                target: '#human-gate.revised',
                actions: {type: 'takeDecision', params: ({event}) => byPerson(event.output)},
              },
              {
                target: '#human-gate.resolved',
                actions: {type: 'takeDecision', params: ({event}) => byPerson(event.output)},
              },
            ],
            onError: '#human-gate.rejected',
          },
        },
      },
      on: {
        'mode.reported': [
          {
            guard: {type: 'isAutoRejected', params: ({event}) => event.hilMode},
            target: 'rejected',
            actions: 'takeAutomatic',
          },
          {
            guard: {type: 'isAutoApproved', params: ({event}) => event.hilMode},
            target: 'approved',
            actions: ['takeAutomatic', 'warnAutoApproved'],
          },
        ],
      },
    },
    approved: {
      type: 'final',
      entry: ['reportDecision', 'reportRule'],
    },
    rejected: {type: 'final', tags: 'failure', entry: 'reportDecision'},
    edited: {type: 'final', entry: 'reportDecision'},
    revised: {type: 'final', entry: ['reportDecision', 'reportWords']},
    resolved: {type: 'final', entry: 'reportDecision'},
  },
  output: ({context: {answer}}) => ({decision: answer.decision, by: answer.by}),
});

/** A prefix that does not fit the command was already refused when it was entered. */
function ruleMade({question: {lasting}, answer: {decision}}: HumanGateContext) {
  if (decision.decision !== 'always' || !lasting) return undefined;
  const reading = readAllowRule(lasting, decision.prefix);
  return reading.ok ? ({type: 'rule.made', rule: reading.rule} as const) : undefined;
}

/** A person's words at a gate are a message to the interaction that asks: they become part of the request. */
function wordsOf({decision}: Answer) {
  return decision.decision === 'revise'
    ? ({type: 'user.said', text: decision.reason} as const)
    : undefined;
}

function byPerson({gate, ...decided}: GateDecision & Delivered): Answer {
  const {at} = decided;
  return {decision: decided, by: 'person', at, ...(gate === undefined ? {} : {gate})};
}

/** No mode answers for a proposal that no reviewer could judge. */
function isForPersonAlone(question: HumanQuestion): boolean {
  return needsPerson(question.kind) || isUnjudged(lastVote(question));
}

/** Vetoed, and not reserved for a person: no mode overrules a veto. */
function isLeftVetoed(question: HumanQuestion): boolean {
  return isVetoed(lastVote(question)) && !needsPerson(question.kind);
}

/** The last vote on exactly this proposal; the last vote at all, when there was none on it. */
function lastVote({history, proposalHash}: HumanQuestion): ReviewRound | undefined {
  return history.findLast((round) => round.proposalHash === proposalHash) ?? history.at(-1);
}

/** The answer of the mode. A mode can only fail an effect in doubt, never repeat it or assume that it was done. */
function automaticAnswer(question: HumanQuestion, hilMode: HilMode): Answer {
  if (hilMode !== 'auto_approve') return refusal(question);
  const veto = vetoText(lastVote(question));
  const decision: HumanDecision =
    veto === undefined
      ? {decision: 'approve'}
      : {decision: 'reject', reason: `${veto}; only a person may overrule a veto`};
  return {decision, by: hilMode, ...timeOfAnswer(question)};
}

function refusal(question: HumanQuestion): Answer {
  const decision = question.kind === 'in-doubt' ? 'fail' : 'reject';
  return {decision: {decision}, by: 'auto_reject', ...timeOfAnswer(question)};
}

/** A mode answers at the time when the vote before it ended. */
function timeOfAnswer({history}: HumanQuestion): Pick<Answer, 'at'> {
  const at = history.at(-1)?.timestamp;
  return at === undefined ? {} : {at};
}

/** The reason of a mode is that of the question. */
function recordedDecision(
  {decision, by}: Answer,
  question: HumanQuestion,
): Pick<Decision, 'decision' | 'reason'> {
  const given = 'reason' in decision ? decision.reason : undefined;
  const reason = given ?? (by === 'person' ? undefined : question.reason);
  return {decision: decision.decision, ...(reason === undefined ? {} : {reason})};
}
