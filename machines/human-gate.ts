/**
 * A person deciding where the panel can't; or the mode that answers in their place.
 *
 * choosing → asking → approved / rejected / edited / resolved
 */

import {assign, setup} from 'xstate';

import {type HumanDecision, type HumanQuestion, needsPerson} from './domain/human.ts';
import type {HilMode} from './domain/settings.ts';
import {askHuman} from './ports.ts';
import {report} from './report.ts';
import {type ModeChange, modeOf} from './tree/mode.ts';

export interface HumanGateInput {
  readonly hilMode: HilMode;
  readonly question: HumanQuestion;
}

export interface HumanGateOutput {
  readonly decision: HumanDecision;
  readonly by: 'person' | 'auto_reject' | 'auto_approve';
}

export interface HumanGateContext extends HumanGateInput {
  readonly answer?: HumanGateOutput;
}

export const humanGateMachine = setup({
  types: {} as {
    context: HumanGateContext;
    input: HumanGateInput;
    output: HumanGateOutput;
    events: ModeChange;
  },
  actors: {askHuman},
  actions: {
    takeMode: assign(({event}) => ({hilMode: event.hilMode})),
    recordDecision: assign((_, answer: HumanGateOutput) => ({answer})),
    recordLoss: assign(({context}) => ({answer: refusal(context.question)})),
    recordAutomatic: assign(({context}) => ({answer: automaticAnswer(context)})),
    reportDecision: report(
      ({context: {answer, question}}) =>
        answer && {
          ...answer.decision,
          type: 'human.decided',
          by: answer.by,
          proposalHash: question.proposalHash,
        },
    ),
    warnAutoApproved: report(({context}) => ({
      type: 'warning',
      message: `auto_approve answered for a person: ${context.question.reason}`,
    })),
  },
  guards: {
    isAutoRejected: ({context}) => context.hilMode === 'auto_reject',
    isAutoApproved: ({context}) =>
      context.hilMode === 'auto_approve' && !needsPerson(context.question.kind),
    isApproval: (_, decision: HumanDecision) => decision.decision === 'approve',
    isRejection: (_, decision: HumanDecision) => decision.decision === 'reject',
    isEdit: (_, decision: HumanDecision) => decision.decision === 'edit',
  },
}).createMachine({
  id: 'human-gate',
  context: ({input, self}) => ({...input, hilMode: modeOf(self) ?? input.hilMode}),
  initial: 'choosing',
  states: {
    choosing: {
      always: [
        {guard: 'isAutoRejected', target: 'rejected', actions: 'recordAutomatic'},
        {
          guard: 'isAutoApproved',
          target: 'approved',
          actions: ['recordAutomatic', 'warnAutoApproved'],
        },
        {target: 'asking'},
      ],
    },
    asking: {
      invoke: {
        src: 'askHuman',
        id: 'person',
        input: ({context}) => context.question,
        onDone: [
          {
            guard: {type: 'isApproval', params: ({event}) => event.output},
            target: 'approved',
            actions: {type: 'recordDecision', params: ({event}) => byPerson(event.output)},
          },
          {
            guard: {type: 'isRejection', params: ({event}) => event.output},
            target: 'rejected',
            actions: {type: 'recordDecision', params: ({event}) => byPerson(event.output)},
          },
          {
            guard: {type: 'isEdit', params: ({event}) => event.output},
            target: 'edited',
            actions: {type: 'recordDecision', params: ({event}) => byPerson(event.output)},
          },
          {
            target: 'resolved',
            actions: {type: 'recordDecision', params: ({event}) => byPerson(event.output)},
          },
        ],
        onError: {target: 'rejected', actions: 'recordLoss'},
      },
      on: {'settings.changed': {target: 'choosing', actions: 'takeMode'}},
    },
    approved: {type: 'final', entry: 'reportDecision'},
    rejected: {type: 'final', entry: 'reportDecision'},
    edited: {type: 'final', entry: 'reportDecision'},
    resolved: {type: 'final', entry: 'reportDecision'},
  },
  output: ({context}) => context.answer ?? refusal(context.question),
});

function byPerson(decision: HumanDecision): HumanGateOutput {
  return {decision, by: 'person'};
}

/** What the mode says. An effect in doubt can only be failed by a mode, never repeated or believed. */
function automaticAnswer({hilMode, question}: HumanGateInput): HumanGateOutput {
  if (hilMode === 'auto_approve') return {decision: {decision: 'approve'}, by: hilMode};
  return refusal(question);
}

function refusal(question: HumanQuestion): HumanGateOutput {
  const decision = question.kind === 'in-doubt' ? 'fail' : 'reject';
  return {decision: {decision}, by: 'auto_reject'};
}
