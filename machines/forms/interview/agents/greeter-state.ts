/** The context of a greeter, and its updates. */

import type {Failure} from '../../../domain/failure.ts';
import {openTranscript, type ToolCall, type Transcript} from '../../../prompts/transcript.ts';
import type {SettingReading, SettingToRead} from '../../../questionnaire/answer-reading.ts';
import type {Section} from '../../../questionnaire/answers.ts';
import {recordReply, type Topic, utter, type Utterance, withOtherLanguage} from '../asking.ts';
import {settingToRead, textsOf, withNotice, withSetting} from '../dialogue.ts';
import type {ExchangeOutput} from '../exchange.ts';
import {isLedByRule} from '../interview-settings.ts';
import {greeterMessage, greeterSystem} from '../prompts.ts';
import {textLanguages, textsFor} from '../texts/texts.ts';
import type {AgentLoopInput, AgentLoopOutput} from './agent-loop.ts';
import {sectionsOpen, withResult} from './agent-turn.ts';
import type {Assignment} from './handover.ts';

export interface GreeterState extends Assignment, Utterance {
  /** True when rules ask, from the beginning or in place of a model. */
  readonly isByRule: boolean;
  readonly transcript: Transcript;
  /** Calls of the model without a result. */
  readonly calls: readonly ToolCall[];
  /** The person's last reply. */
  readonly text: string;
  /** True when that reply gave values for fields. */
  readonly hasGiven: boolean;
  /** The reply gave a setting, and may give the next one, too. */
  readonly mayGiveMore: boolean;
  /** The section that was asked about last. */
  readonly section?: Section;
  /** Replies on the section that were not understood. */
  readonly misses: number;
  /** True after an attempt to infer the time zone from the country. */
  readonly hasInferred: boolean;
  /** Possible values of the section. */
  readonly choices: readonly string[];
  readonly failure?: Failure;
}

export function openGreeter(input: Assignment): GreeterState {
  const {dialogue: before, settings} = input;
  const isByRule = isLedByRule(input);
  const isNew = before.said.length === 0;
  const dialogue = isByRule && isNew ? withOtherLanguage(before) : before;
  return {
    settings,
    dialogue,
    isByRule,
    message: '',
    transcript: openTranscript(greeterMessage(dialogue)),
    calls: [],
    text: '',
    hasGiven: false,
    mayGiveMore: false,
    misses: 0,
    hasInferred: false,
    choices: [],
  };
}

/** The section to ask about. It is derived from the dialogue, not stored. */
export function sectionNow({dialogue}: Pick<GreeterState, 'dialogue'>): Section | 'completed' {
  return sectionsOpen(dialogue)[0] ?? 'completed';
}

export function greeterTopic({section}: Pick<GreeterState, 'section'>): Topic {
  return {agent: 'greeter', state: 'greeting', ...(section === undefined ? {} : {section})};
}

export function loopInput({dialogue, settings, transcript}: GreeterState): AgentLoopInput {
  const {model, maxLoops, maxOutputTokens} = settings;
  return {
    agent: 'greeter',
    dialogue,
    transcript,
    canReview: false,
    model,
    system: greeterSystem,
    maxLoops,
    maxOutputTokens,
  };
}

/** Takes the output of the model loop. Rules replace a model that is stuck. */
export function looped(state: GreeterState, loop: AgentLoopOutput): Partial<GreeterState> {
  const {kind, dialogue, transcript, calls, message} = loop;
  if (kind === 'stuck') return {dialogue, isByRule: true};
  if (kind !== 'asked') return {dialogue, transcript, calls};
  const [section] = sectionsOpen(dialogue);
  const about = section === undefined ? {} : {section};
  return {transcript, calls, ...about, ...utter(dialogue, greeterTopic(about), message)};
}

/** The form itself answers a question about its questions, and asks again. */
export function noticeAdded(
  {dialogue, section = 'language'}: GreeterState,
  reply: ExchangeOutput,
): Partial<GreeterState> {
  const {whySetting, help, nothingBefore} = textsOf(dialogue);
  const kind = reply.kind === 'replied' ? reply.route.kind : 'help';
  const notice = {why: whySetting[section], back: nothingBefore}[kind as 'why' | 'back'] ?? help;
  return {dialogue: withNotice(dialogue, notice)};
}

/** A country that the person lives in says more about the time than the clock of a device. */
export function isInferable({dialogue, hasInferred}: GreeterState): boolean {
  const {respondent, assumed} = dialogue;
  const isZoneOpen = respondent.timezone === undefined || assumed.includes('timezone');
  const isStated = respondent.country !== undefined && !assumed.includes('country');
  return !hasInferred && (sectionNow({dialogue}) === 'timezone' || (isZoneOpen && isStated));
}

/** Asks the built-in question for the section. */
export function asked(state: GreeterState): Partial<GreeterState> {
  const {dialogue, choices} = state;
  const texts = textsOf(dialogue);
  const section = sectionsOpen(dialogue)[0] ?? 'language';
  const questions: Readonly<Record<Section, string>> = {
    language: texts.askLanguage(textLanguages.map((language) => textsFor(language).name)),
    country: texts.askCountry(choices),
    timezone: texts.askTimezone(choices),
  };
  const isFirst = dialogue.said.length === 0;
  const refuses = state.misses > 0 && !state.hasGiven;
  const greeting = isFirst ? [texts.greeting(dialogue.questionnaire)] : [];
  const text = [...greeting, questions[section]].join('\n\n');
  return {section, ...utter(dialogue, greeterTopic({section}), text, {refuses})};
}

/** Records the reply. It is the result of the model's call that asked; a built-in question has no call. */
export function greeterReplied(state: GreeterState, reply: ExchangeOutput): Partial<GreeterState> {
  if (reply.kind === 'lost') return {failure: reply.failure};
  const {text, found} = reply;
  return {
    text,
    hasGiven: found.length > 0,
    mayGiveMore: false,
    transcript: withResult(state.transcript, state.calls, text),
    calls: [],
    dialogue: recordReply(state.dialogue, greeterTopic(state), reply),
  };
}

/** True when the model has used up its replies from the person: rules ask the rest. */
export function isTalkedOut({dialogue: {said}, settings}: GreeterState): boolean {
  const replies = said.filter(({from, agent}) => from === 'person' && agent === 'greeter');
  return replies.length >= settings.maxLoops;
}

export function settingInput({dialogue, text}: GreeterState): SettingToRead {
  return settingToRead(dialogue, sectionsOpen(dialogue)[0] ?? 'timezone', text);
}

/** A shorter reply gives one setting: 日本語 is not a country. */
const leastWords = 4;
const leastLength = 15;

export function settingTaken(
  state: GreeterState,
  {value, choices = []}: SettingReading,
): Partial<GreeterState> {
  const {dialogue, misses, hasGiven} = state;
  const section = sectionsOpen(dialogue)[0];
  if (value === undefined && state.mayGiveMore) return {mayGiveMore: false};
  if (value === undefined || !section) {
    const {forLater, notUnderstood} = textsOf(dialogue);
    const notified = withNotice(dialogue, hasGiven ? forLater : notUnderstood);
    return {dialogue: notified, misses: misses + 1, choices};
  }
  const known = withSetting(dialogue, section, value);
  const hasChosen = section === 'language' && isLedByRule(state);
  const {text} = state;
  const mayGiveMore = text.split(/\s+/).length >= leastWords || text.length >= leastLength;
  return {dialogue: hasChosen ? withOtherLanguage(known) : known, misses: 0, mayGiveMore};
}

/** Takes the inference of the time zone from the country. An inferred time zone needs no question. */
export function inferred(
  {dialogue}: GreeterState,
  {value, choices = []}: SettingReading,
): Partial<GreeterState> {
  const known = value === undefined ? dialogue : withSetting(dialogue, 'timezone', value);
  return {dialogue: known, choices, hasInferred: true};
}

/** Defaults for settings that the respondent does not give; the country has none. The specification sets the time zone. */
const assumptions: Readonly<Record<Section, string | undefined>> = {
  language: 'en',
  country: undefined,
  timezone: 'Asia/Tokyo',
};

export function assumedNow({dialogue}: GreeterState): Partial<GreeterState> {
  const section = sectionsOpen(dialogue)[0];
  if (!section) return {};
  const value = assumptions[section];
  const assumed = withSetting(dialogue, section, value, true);
  const notified =
    value === undefined || section === 'language'
      ? assumed
      : withNotice(assumed, textsOf(assumed).assumed(section, value));
  return {dialogue: notified, misses: 0};
}
