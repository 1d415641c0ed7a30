/** How agents speak to the person: one message, with what is to be told before it, and the reply as the conversation keeps it. */

import type {Route} from '../../questionnaire/answer-reading.ts';
import type {InterviewState, Section, SpeakingAgent} from '../../questionnaire/answers.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  withFound,
  withMessage,
  withNotice,
  withReply,
  withSetting,
} from './dialogue.ts';
import type {ExchangeInput, Heard} from './exchange.ts';
import {hasTexts, textLanguages, textsFor} from './texts/texts.ts';

/** Whose turn it is, and on what. */
export interface Topic {
  readonly agent: SpeakingAgent;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}

/** What is to be said, and the conversation with it. */
export interface Utterance {
  readonly dialogue: Dialogue;
  readonly message: string;
  readonly masked?: string;
}

export function utter(
  dialogue: Dialogue,
  {agent, section, field}: Topic,
  text: string,
  masked?: string,
): Utterance {
  const where = {
    agent,
    ...(section === undefined ? {} : {section}),
    ...(field === undefined ? {} : {field}),
  };
  const uttered = withMessage(dialogue, {...where, text});
  if (masked === undefined) return uttered;
  return {...uttered, masked: withMessage(dialogue, {...where, text: masked}).message};
}

export function exchangeInput({dialogue, message, masked}: Utterance, topic: Topic): ExchangeInput {
  const {agent, state, section, field} = topic;
  return {
    asked: {
      agent,
      state,
      message,
      question: field === undefined ? lastLine(message) : fieldOf(dialogue, field).label,
      ...(masked === undefined ? {} : {masked}),
      ...(section === undefined ? {} : {section}),
      ...(field === undefined ? {} : {field}),
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

/** Questions that are about no field end with what is asked; numbered choices of one stand below it. */
function lastLine(message: string): string {
  const lines = message.split('\n').filter((line) => !/^(?:\d+[.]|…)\s/.test(line));
  return lines.findLast((line) => line.trim() !== '') ?? message;
}

function aboutOf({state, section, field}: Topic): ExchangeInput['ground']['about'] {
  if (state === 'paused') return {paused: true};
  if (section !== undefined) return {section};
  return field === undefined ? {confirmation: true} : {field};
}

function isSensitive(dialogue: Dialogue, id: string): boolean {
  return fieldOf(dialogue, id).sensitivity !== 'none';
}

/** The conversation with the reply, and with what it says beside what was asked. */
export function heardBy(
  dialogue: Dialogue,
  topic: Topic,
  {text, at, route, found}: Heard,
): Dialogue {
  const {agent, section} = topic;
  const field = fieldSaid(dialogue, topic, route);
  const replied = withReply(dialogue, {
    agent,
    text,
    at,
    ...(section === undefined ? {} : {section}),
    ...(field === undefined ? {} : {field}),
  });
  const known = withFound(replied, found, at);
  return route.kind === 'language' ? inLanguage(known, route.language) : known;
}

/** The field that a reply is about: one that is private, if it changes several. */
function fieldSaid(dialogue: Dialogue, topic: Topic, route: Route): string | undefined {
  if (route.kind !== 'correct') return topic.field;
  const changed = new Set([route, ...(route.more ?? [])].map(({field}) => field));
  const kept = dialogue.questionnaire.fields.find(
    ({id, sensitivity}) => sensitivity !== 'none' && changed.has(id),
  );
  return kept?.id ?? route.field;
}

/** From here on the conversation is in this language; it is said so. */
export function inLanguage(dialogue: Dialogue, language: string): Dialogue {
  const changed = withSetting(dialogue, 'language', language);
  if (!hasTexts(language)) return withOtherLanguage(changed);
  return withNotice(changed, textsFor(language).languageChanged);
}

/** Nothing is said of a language that there are texts for. */
export function withOtherLanguage(dialogue: Dialogue): Dialogue {
  const {language} = dialogue.respondent;
  if (language === undefined || hasTexts(language)) return dialogue;
  const names = textLanguages.map(
    (each) => new Intl.DisplayNames('en', {type: 'language'}).of(each) ?? each,
  );
  return withNotice(dialogue, textsFor(language).otherLanguage(names));
}
