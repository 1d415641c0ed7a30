/**
 * One message to a person, and what their reply is.
 *
 * awaitingReply → reading → heard; lost
 */

import {assign, setup} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {report} from '../../facts/report.ts';
import {
  askPerson,
  type Delivered,
  type PersonAsked,
  type PersonReply,
  readReply,
} from '../../ports.ts';
import type {Found, ReplyReading, ReplyToRead, Route} from '../../questionnaire/answer-reading.ts';
import {masked} from '../../questionnaire/private-answers.ts';

export interface ExchangeInput {
  readonly asked: PersonAsked;
  /** What the reply may be about. */
  readonly ground: Omit<ReplyToRead, 'text' | 'at'>;
  /** The reply is nothing that a log may hold. */
  readonly isMasked?: boolean;
}

/** What a person said. */
export interface Heard {
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  readonly route: Route;
  readonly found: readonly Found[];
}

export type ExchangeOutput =
  | ({readonly kind: 'heard'} & Heard)
  | {readonly kind: 'lost'; readonly failure: Failure};

export interface ExchangeContext extends ExchangeInput {
  readonly heard: Heard;
  readonly failure: Failure;
}

export const exchangeMachine = setup({
  types: {} as {
    context: ExchangeContext;
    input: ExchangeInput;
    output: ExchangeOutput;
    tags: 'waitsForPerson';
  },
  actors: {askPerson, readReply},
  actions: {
    takeReply: assign((_, reply: PersonReply & Delivered) => ({heard: heardIn(reply)})),
    takeReading: assign(({context}, {route, found}: ReplyReading) => ({
      heard: {...context.heard, route, found},
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportReply: report(({context}) => ({
      type: 'interview.replied',
      text: isSensitive(context) ? masked : context.heard.text,
      ...(context.asked.field === undefined ? {} : {field: context.asked.field}),
    })),
  },
  guards: {
    isDirect: (_, {field, confirms}: PersonReply) => field !== undefined || confirms === true,
  },
}).createMachine({
  id: 'exchange',
  context: ({input}) => ({
    ...input,
    heard: {text: '', at: 0, route: {kind: 'unclear'}, found: []},
    failure: {code: 'internal', message: 'nobody was asked'},
  }),
  initial: 'awaitingReply',
  states: {
    awaitingReply: {
      tags: 'waitsForPerson',
      invoke: {
        src: 'askPerson',
        id: 'person',
        input: ({context}) => context.asked,
        onDone: [
          {
            guard: {type: 'isDirect', params: outputIn},
            target: 'heard',
            actions: {type: 'takeReply', params: outputIn},
          },
          {target: 'reading', actions: {type: 'takeReply', params: outputIn}},
        ],
        onError: {
          target: 'lost',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    reading: {
      invoke: {
        src: 'readReply',
        id: 'reading',
        input: ({context: {ground, heard}}) => ({...ground, text: heard.text, at: heard.at}),
        onDone: {
          target: 'heard',
          actions: {type: 'takeReading', params: outputIn},
        },
        onError: {
          target: 'lost',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    heard: {
      type: 'final',
      entry: 'reportReply',
      output: ({context: {heard}}) => ({kind: 'heard', ...heard}),
    },
    lost: {type: 'final', output: ({context: {failure}}) => ({kind: 'lost', failure})},
  },
  output: ({event}) => event.output as ExchangeOutput,
});

/** Whether it is about a field, or holds a value of one, that is nobody else's business. */
function isSensitive({isMasked, ground, heard}: ExchangeContext): boolean {
  const {route, found} = heard;
  const changed = route.kind === 'correct' ? [route, ...(route.more ?? [])] : [];
  const about = new Set([...changed, ...found].map(({field}) => field));
  const kept = ground.fields.filter(({sensitivity}) => sensitivity !== 'none');
  return isMasked === true || kept.some(({id}) => about.has(id));
}

/** A reply that says itself what it is needs no reading. */
function heardIn({text, field, confirms, at}: PersonReply & Delivered): Heard {
  const route: Route =
    field === undefined
      ? {kind: confirms === true ? 'confirm' : 'unclear'}
      : {kind: 'correct', field, ...(text === '' ? {} : {text})};
  return {text, at, route, found: []};
}
