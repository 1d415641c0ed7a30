/**
 * The confirmation: shows all answers, and submits them when the person confirms.
 *
 * showing → routed → submitted; showing again; paused, restarted, redirected (to a field, for a change); failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {isPause, type Route} from '../../questionnaire/answer-reading.ts';
import {failing, going, type Handover, toField} from './agents/handover.ts';
import {type Dialogue, requiredOpen, textsOf, withNotice} from './dialogue.ts';
import {
  exchangeInput,
  exchangeMachine,
  type ExchangeOutput,
  type ReceivedReply,
  recordReply,
  type Topic,
  utter,
  type Utterance,
} from './exchange.ts';
import {confirmationText} from './templates.ts';

interface ConfirmationState extends Utterance, Pick<ReceivedReply, 'route' | 'found'> {
  readonly failure?: Failure;
}

const topic: Topic = {agent: 'confirmation', state: 'confirming'};

export const confirmationMachine = setup({
  types: {} as {
    context: ConfirmationState;
    input: {readonly dialogue: Dialogue};
    output: Handover;
  },
  actors: {exchange: exchangeMachine},
  actions: {
    show: assign(({context, context: {dialogue}}) =>
      utter(dialogue, topic, confirmationText(dialogue, false), {
        masked: confirmationText(dialogue, true),
        refuses: isRefused(context),
      }),
    ),
    takeReply: assign(({context: {dialogue}}, output: ExchangeOutput) =>
      confirmationReplied(dialogue, output),
    ),
    explainRefusal: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, refusalText(dialogue)),
    })),
    explain: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, textsOf(dialogue).help),
    })),
    askWhichField: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, textsOf(dialogue).whichField),
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isSubmitted: ({context: {route, dialogue}}) =>
      route.kind === 'confirm' && requiredOpen(dialogue).length === 0,
    isTooEarly: ({context: {route}}) => route.kind === 'confirm',
    isPause: ({context: {route}}) => isPause(route),
    isRestart: ({context: {route}}) => route.kind === 'startOver',
    isRedirection: ({context}) => correctionIn(context) !== undefined,
    isSwitch: ({context: {route}}) => route.kind === 'language',
    isSetting: ({context: {route}}) => route.kind === 'setting',
    isHelp: ({context: {route}}) => route.kind === 'help',
  },
}).createMachine({
  id: 'confirmation',
  context: ({input: {dialogue}}) => ({
    dialogue,
    message: '',
    route: {kind: 'unclear'},
    found: [],
  }),
  initial: 'showing',
  states: {
    showing: {
      entry: 'show',
      invoke: {
        src: 'exchange',
        id: 'exchange',
        input: ({context}) => exchangeInput(context, topic),
        onDone: [when('isLost', 'failed', 'takeReply'), otherwise('routed', 'takeReply')],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    routed: {
      tags: 'choice',
      always: [
        {guard: 'isSubmitted', target: 'submitted'},
        {guard: 'isTooEarly', target: 'showing', actions: 'explainRefusal'},
        {guard: 'isPause', target: 'paused'},
        {guard: 'isRestart', target: 'restarted'},
        {guard: 'isRedirection', target: 'redirected'},
        {guard: 'isSetting', target: 'redirected'},
        {guard: 'isSwitch', target: 'showing'},
        {guard: 'isHelp', target: 'showing', actions: 'explain'},
        {target: 'showing', actions: 'askWhichField'},
      ],
    },
    submitted: {type: 'final', output: going('submit')},
    paused: {type: 'final', output: going('pause')},
    restarted: {type: 'final', output: going('startOver')},
    redirected: {
      type: 'final',
      output: ({context}) => toField(context.dialogue, correctionIn(context)),
    },
    failed: {type: 'final', tags: 'failure', output: failing},
  },
  output: ({event}) => event.output as Handover,
});

function confirmationReplied(
  dialogue: Dialogue,
  output: ExchangeOutput,
): Partial<ConfirmationState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const {route, found} = output;
  return {dialogue: recordReply(dialogue, topic, output), route, found};
}

/** The requested correction: of the field that the reply names, or of the only field that it gives a value for. */
function correctionIn({route, found}: Pick<ReceivedReply, 'route' | 'found'>): Route | undefined {
  if (route.kind === 'correct') return route;
  const [value, ...more] = found;
  if (!value || more.length > 0) return undefined;
  return {kind: 'correct', field: value.field, text: value.quote};
}

/** The last reply led to nothing. */
function isRefused({dialogue: {said}, route: {kind}}: ConfirmationState): boolean {
  const hasReplied = said.at(-1)?.from === 'person' && said.at(-1)?.agent === 'confirmation';
  return hasReplied && (kind === 'unclear' || kind === 'confirm');
}

function refusalText(dialogue: Dialogue): string {
  return textsOf(dialogue).cannotSubmit(requiredOpen(dialogue).map(({label}) => label));
}
