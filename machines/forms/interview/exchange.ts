/**
 * An exchange: sends one message to a person, and reads the reply.
 *
 * awaitingReply → reading → replied; lost
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {report} from '../../facts/record.ts';
import {
  askPerson,
  type Delivered,
  type PersonAsked,
  type PersonReply,
  readReply,
} from '../../ports.ts';
import {
  type Found,
  isCommand,
  type ReplyReading,
  type ReplyToRead,
  type Route,
} from '../../questionnaire/answer-reading.ts';
import {masked} from '../../questionnaire/private-answers.ts';

export interface ExchangeInput {
  readonly asked: PersonAsked;
  /** The context for reading the reply. */
  readonly ground: Omit<ReplyToRead, 'text' | 'at'>;
  /** True when logs must not contain the reply. */
  readonly isMasked?: boolean;
}

/** A person's reply, as it was read. */
export interface ReceivedReply {
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  readonly route: Route;
  readonly found: readonly Found[];
}

export type ExchangeOutput =
  | ({readonly kind: 'replied'} & ReceivedReply)
  | {readonly kind: 'lost'; readonly failure: Failure};

export interface ExchangeContext extends ExchangeInput {
  readonly reply: ReceivedReply;
  readonly failure: Failure;
}

export const exchangeMachine = setup({
  types: {} as {
    context: ExchangeContext;
    input: ExchangeInput;
    output: ExchangeOutput;
    tags: 'failure' | 'waitsForPerson';
  },
  actors: {askPerson, readReply},
  actions: {
    takeReply: assign((_, reply: PersonReply & Delivered) => ({reply: receivedReply(reply)})),
    takeReading: assign(({context}, {route, found}: ReplyReading) => ({
      reply: {...context.reply, route, found},
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportReply: report(({context}) => ({
      type: 'interview.replied',
      text: isSensitive(context) ? masked : context.reply.text,
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
    reply: {text: '', at: 0, route: {kind: 'unclear'}, found: []},
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
        onDone: [when('isDirect', 'replied', 'takeReply'), otherwise('reading', 'takeReply')],
        onError: onCrash('lost', 'takeFailure'),
      },
    },
    reading: {
      invoke: {
        src: 'readReply',
        id: 'reading',
        input: ({context: {ground, reply}}) => ({...ground, text: reply.text, at: reply.at}),
        onDone: otherwise('replied', 'takeReading'),
        onError: onCrash('lost', 'takeFailure'),
      },
    },
    replied: {
      type: 'final',
      entry: 'reportReply',
      output: ({context: {reply}}) => ({kind: 'replied', ...reply}),
    },
    lost: {
      type: 'final',
      tags: 'failure',
      output: ({context: {failure}}) => ({kind: 'lost', failure}),
    },
  },
  output: ({event}) => event.output as ExchangeOutput,
});

/** True when the reply is about a sensitive field, or gives a value for one. */
function isSensitive({isMasked, ground, reply}: ExchangeContext): boolean {
  const {route, found} = reply;
  const changed = route.kind === 'correct' ? [route] : [];
  const about = new Set([...changed, ...found].map(({field}) => field));
  const kept = ground.fields.filter(({sensitivity}) => sensitivity !== 'none');
  return (isMasked === true && !isCommand(route)) || kept.some(({id}) => about.has(id));
}

/** The route of a reply that names a field or confirms. Any other reply still has to be read. */
function receivedReply({text, field, confirms, at}: PersonReply & Delivered): ReceivedReply {
  const route: Route =
    field === undefined
      ? {kind: confirms === true ? 'confirm' : 'unclear'}
      : {kind: 'correct', field, ...(text === '' ? {} : {text})};
  return {text, at, route, found: []};
}
