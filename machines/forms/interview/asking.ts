/** The messages of agents to the person, with the pending notices, and the person's replies in the dialogue. */

import {languageOfScript} from '../../domain/language.ts';
import {isCommand} from '../../questionnaire/answer-reading.ts';
import type {InterviewState, Section, SpeakingAgent} from '../../questionnaire/answers.ts';
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
import type {ExchangeInput, ReceivedReply} from './exchange.ts';
import {settingName} from './templates.ts';
import {hasTexts, textLanguages, textsFor} from './texts/texts.ts';

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

export interface Manner {
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
export function inLanguage(dialogue: Dialogue, language: string): Dialogue {
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
