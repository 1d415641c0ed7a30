/**
 * The confirmation: all answers on one table, submitted when the person says so.
 *
 * showing → routing → submitted; showing again; left (for a change, or a pause); failed
 */

import {assign, setup} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import {crashIn, outputIn} from '../../ended.ts';
import {exchangeInput, heardBy, type Topic, utter, type Utterance} from './asking.ts';
import {
  type Dialogue,
  type Handover,
  type Move,
  requiredOpen,
  textsOf,
  withNotice,
} from './dialogue.ts';
import {exchangeMachine, type ExchangeOutput, type Heard} from './exchange.ts';
import {confirmationText} from './templates.ts';

interface ConfirmationState extends Handover, Utterance {
  readonly heard: Pick<Heard, 'route' | 'found'>;
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
    submit: assign({move: {to: 'submit'}}),
    leave: assign(({context}) => ({move: leaving(context)})),
    tellWhy: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, whyNot(dialogue)),
    })),
    tellWhat: assign(({context: {dialogue}}) => ({
      dialogue: withNotice(dialogue, textsOf(dialogue).whichField),
    })),
    takeFailure: assign((_, failure: Failure) => ({move: {to: 'failure' as const, failure}})),
  },
  guards: {
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isSubmitted: ({
      context: {
        heard: {route},
        dialogue,
      },
    }) => route.kind === 'confirm' && requiredOpen(dialogue).length === 0,
    isTooEarly: ({
      context: {
        heard: {route},
      },
    }) => route.kind === 'confirm',
    isLeaving: ({context}) => leaving(context).to !== 'next',
    isSwitch: ({
      context: {
        heard: {route},
      },
    }) => route.kind === 'language',
  },
}).createMachine({
  id: 'confirmation',
  context: ({input: {dialogue}}) => ({
    dialogue,
    message: '',
    heard: {route: {kind: 'unclear'}, found: []},
    move: {to: 'next'},
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
          {target: 'routing', actions: {type: 'hear', params: outputIn}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    routing: {
      always: [
        {guard: 'isSubmitted', target: 'submitted', actions: 'submit'},
        {guard: 'isTooEarly', target: 'showing', actions: 'tellWhy'},
        {guard: 'isLeaving', target: 'left', actions: 'leave'},
        {guard: 'isSwitch', target: 'showing'},
        {target: 'showing', actions: 'tellWhat'},
      ],
    },
    submitted: {type: 'final'},
    left: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context: {dialogue, move}}) => ({dialogue, move}),
});

function heard(dialogue: Dialogue, output: ExchangeOutput): Partial<ConfirmationState> {
  if (output.kind === 'lost') return {move: {to: 'failure', failure: output.failure}};
  return {dialogue: heardBy(dialogue, topic, output), heard: output};
}

/** To a pause, to the beginning, or to a field: one that is named, or the only one that a value was given for. */
function leaving({heard: {route, found}}: Pick<ConfirmationState, 'heard'>): Move {
  if (route.kind === 'pause' || route.kind === 'quit') return {to: 'pause'};
  if (route.kind === 'startOver') return {to: 'startOver'};
  if (route.kind === 'correct') {
    const {field, text} = route;
    return {to: 'field', field, ...(text === undefined ? {} : {text})};
  }
  const [value, ...more] = found;
  return value && more.length === 0
    ? {to: 'field', field: value.field, text: value.quote}
    : {to: 'next'};
}

function whyNot(dialogue: Dialogue): string {
  return textsOf(dialogue).cannotSubmit(requiredOpen(dialogue).map(({label}) => label));
}
