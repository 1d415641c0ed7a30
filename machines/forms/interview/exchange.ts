/**
 * An exchange: sends one message to a person, and reads the reply.
 *
 * awaitingReply → reading → replied; lost
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {languageOfScript} from '../../domain/language.ts';
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
import type {InterviewState, Section, SpeakingAgent} from '../../questionnaire/answers.ts';
import {masked as mask} from '../../questionnaire/private-answers.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  textsOf,
  withChangedSetting,
  withFound,
  withMessage,
  withNotice,
  withReply,
  withSetting,
} from './dialogue.ts';
import {settingName} from './templates.ts';
import {hasTexts, textLanguages, textsFor} from './texts/texts.ts';

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
      text: hidesReply(context) ? mask : context.reply.text,
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
function hidesReply({isMasked, ground, reply}: ExchangeContext): boolean {
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

// The messages of agents to the person, with the pending notices, and the person's replies in the dialogue.

/** The agent that speaks, and the subject of its message. */
export interface Topic {
  readonly agent: SpeakingAgent;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}

/** A message to the person, and the dialogue with it. */
export interface Utterance {
  readonly dialogue: Dialogue;
  readonly message: string;
  readonly masked?: string;
}

interface Manner {
  /** The text for logs. */
  readonly masked?: string;
  /** See `Said.refuses`. */
  readonly refuses?: boolean;
}

export function utter(
  dialogue: Dialogue,
  topic: Topic,
  text: string,
  {masked, refuses = false}: Manner = {},
): Utterance {
  const {state: _, ...about} = topic;
  const where = refuses ? {...about, refuses} : about;
  const uttered = withMessage(dialogue, {...where, text});
  if (masked === undefined) return uttered;
  return {...uttered, masked: withMessage(dialogue, {...where, text: masked}).message};
}

export function exchangeInput({dialogue, message, masked}: Utterance, topic: Topic): ExchangeInput {
  const {agent, state, ...about} = topic;
  const {field} = about;
  return {
    asked: {
      agent,
      state,
      message,
      question: field === undefined ? lastLine(message) : fieldOf(dialogue, field).label,
      ...(masked === undefined ? {} : {masked}),
      ...about,
    },
    ground: {
      about: aboutOf(topic),
      fields: applicable(dialogue),
      done: dialogue.order.filter((id) => isDone(dialogue, id)),
      ...dialogue.respondent,
    },
    ...(field !== undefined && isSensitive(dialogue, field) ? {isMasked: true} : {}),
  };
}

/** The question of a message that is not about a field: its last line, without the numbered choices below it. */
function lastLine(message: string): string {
  const lines = message.split('\n').filter((line) => !/^(?:\d+[.]|…)\s/.test(line));
  return lines.findLast((line) => line.trim() !== '') ?? message;
}

function aboutOf({state, section, field}: Topic): ExchangeInput['ground']['about'] {
  if (state === 'paused') return {paused: true};
  if (section !== undefined) return {section};
  return field === undefined ? {confirmation: true} : {field};
}

export function isSensitive(dialogue: Dialogue, id: string): boolean {
  return fieldOf(dialogue, id).sensitivity !== 'none';
}

/** Adds the reply to the dialogue, with the values that it gives for other fields. */
export function recordReply(
  dialogue: Dialogue,
  topic: Topic,
  {text, at, route, found}: ReceivedReply,
): Dialogue {
  const {agent, state: _, ...where} = topic;
  const {field: _field, ...elsewhere} = where;
  const about =
    route.kind === 'correct'
      ? {...where, field: route.field}
      : isCommand(route)
        ? elsewhere
        : where;
  const replied = withReply(dialogue, {agent, text, at, ...about});
  const known = withFound(replied, found, at);
  const written = otherLanguage(dialogue, text);
  if (written !== undefined) return inLanguage(known, written);
  if (route.kind === 'setting') return inSetting(known, route.section, route.value);
  return route.kind === 'language' ? inLanguage(known, route.language) : known;
}

/** The language of a text, if it is not the assumed language of the respondent, and there are texts in it. */
function otherLanguage({respondent, assumed}: Dialogue, text: string): string | undefined {
  const written = languageOfScript(text);
  if (written === undefined || !assumed.includes('language') || !hasTexts(written))
    return undefined;
  const isName = !/\p{Script=Hiragana}/u.test(text);
  return isName || textsFor(written) === textsFor(respondent.language) ? undefined : written;
}

/** Changes a setting, with a notice. */
function inSetting(dialogue: Dialogue, section: Section, value: string): Dialogue {
  const {changed, sections} = textsOf(dialogue);
  const named = (each: string | undefined): string =>
    each === undefined ? '–' : settingName(dialogue, section, each);
  const notice = changed(sections[section], named(dialogue.respondent[section]), named(value));
  return withNotice(withChangedSetting(dialogue, section, value), notice);
}

/** Changes the language of the conversation, with a notice. */
function inLanguage(dialogue: Dialogue, language: string): Dialogue {
  const changed = withSetting(dialogue, 'language', language);
  if (!hasTexts(language)) return withOtherLanguage(changed);
  return withNotice(changed, textsFor(language).languageChanged);
}

/** Adds a notice if there are no texts in the respondent's language. */
export function withOtherLanguage(dialogue: Dialogue): Dialogue {
  const {language} = dialogue.respondent;
  if (language === undefined || hasTexts(language)) return dialogue;
  const names = textLanguages.map(
    (each) => new Intl.DisplayNames('en', {type: 'language'}).of(each) ?? each,
  );
  return withNotice(dialogue, textsFor(language).otherLanguage(names));
}
