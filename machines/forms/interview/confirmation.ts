/**
 * The confirmation: all answers on one table, submitted when the person says so.
 *
 * showing → routed → submitted; showing again; paused, restarted, redirected (to a field, for a change); failed
 */

import {assign, setup} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {isPause, type Route} from '../../questionnaire/answer-reading.ts';
import {failing, going, type Handover, toField} from './agents/handover.ts';
import {exchangeInput, heardBy, type Topic, utter, type Utterance} from './asking.ts';
import {type Dialogue, requiredOpen, textsOf, withNotice} from './dialogue.ts';
import {exchangeMachine, type ExchangeOutput, type Heard} from './exchange.ts';
import {confirmationText} from './templates.ts';

interface ConfirmationState extends Utterance, Pick<Heard, 'route' | 'found'> {
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
    show: assign(({context: {dialogue}}) =>
      utter(dialogue, topic, confirmationText(dialogue, false), confirmationText(dialogue, true)),
    ),
    hear: assign(({context: {dialogue}}, output: ExchangeOutput) => heard(dialogue, output)),
    tellWhy: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, whyNot(dialogue)),
    })),
    tellWhat: assign(({context: {dialogue}}) => ({
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
        onDone: [
          {
            guard: {type: 'isLost', params: outputIn},
            target: 'failed',
            actions: {type: 'hear', params: outputIn},
          },
          {target: 'routed', actions: {type: 'hear', params: outputIn}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    routed: {
      tags: 'choice',
      always: [
        {guard: 'isSubmitted', target: 'submitted'},
        {guard: 'isTooEarly', target: 'showing', actions: 'tellWhy'},
        {guard: 'isPause', target: 'paused'},
        {guard: 'isRestart', target: 'restarted'},
        {guard: 'isRedirection', target: 'redirected'},
        {guard: 'isSwitch', target: 'showing'},
        {target: 'showing', actions: 'tellWhat'},
      ],
    },
    submitted: {type: 'final', output: going('submit')},
    paused: {type: 'final', output: going('pause')},
    restarted: {type: 'final', output: going('startOver')},
    redirected: {
      type: 'final',
      output: ({context}) => toField(context.dialogue, correctionIn(context)),
    },
    failed: {type: 'final', output: failing},
  },
  output: ({event}) => event.output as Handover,
});

function heard(dialogue: Dialogue, output: ExchangeOutput): Partial<ConfirmationState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const {route, found} = output;
  return {dialogue: heardBy(dialogue, topic, output), route, found};
}

/** Of a field that is named, or of the only one that a value was given for. */
function correctionIn({route, found}: Pick<Heard, 'route' | 'found'>): Route | undefined {
  if (route.kind === 'correct') return route;
  const [value, ...more] = found;
  if (!value || more.length > 0) return undefined;
  return {kind: 'correct', field: value.field, text: value.quote};
}

function whyNot(dialogue: Dialogue): string {
  return textsOf(dialogue).cannotSubmit(requiredOpen(dialogue).map(({label}) => label));
}
