/** What a greeter knows, and how it takes in what is said. */

import type {Failure} from '../../../domain/failure.ts';
import {openTranscript, type ToolCall, type Transcript} from '../../../prompts/transcript.ts';
import type {SettingReading, SettingToRead} from '../../../questionnaire/answer-reading.ts';
import type {Section} from '../../../questionnaire/answers.ts';
import {heardBy, type Topic, utter, type Utterance, withOtherLanguage} from '../asking.ts';
import {textsOf, withNotice, withSetting} from '../dialogue.ts';
import type {ExchangeOutput} from '../exchange.ts';
import {isLedByRule} from '../interview-settings.ts';
import {greeterMessage, greeterSystem} from '../prompts.ts';
import {textLanguages, textsFor} from '../texts/texts.ts';
import type {AgentLoopInput, AgentLoopOutput} from './agent-loop.ts';
import {sectionsOpen, withResult} from './agent-turn.ts';
import type {Assignment} from './handover.ts';

export interface GreeterState extends Assignment, Utterance {
  /** No model is asked, or not any more. */
  readonly isByRule: boolean;
  readonly transcript: Transcript;
  /** Of the model: those that have no result yet. */
  readonly calls: readonly ToolCall[];
  /** What was said last. */
  readonly text: string;
  /** The section that is asked about by rule. */
  readonly section?: Section;
  /** Replies on the section that were not understood. */
  readonly misses: number;
  /** Whether the time zone was looked for in the country, and what it may be. */
  readonly hasInferred: boolean;
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
    misses: 0,
    hasInferred: false,
    choices: [],
  };
}

/** The section that the state stands in: nobody keeps it. */
export function sectionNow({dialogue}: Pick<GreeterState, 'dialogue'>): Section | 'completed' {
  return sectionsOpen(dialogue)[0] ?? 'completed';
}

export function greeterTopic({section}: GreeterState): Topic {
  return {
    agent: 'greeter',
    state: 'greeting',
    ...(section === undefined ? {} : {section}),
  };
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

/** One that got nowhere leaves the rest to the rules. */
export function looped(state: GreeterState, loop: AgentLoopOutput): Partial<GreeterState> {
  const {kind, dialogue, transcript, calls, message} = loop;
  if (kind === 'stuck') return {dialogue, isByRule: true};
  if (kind !== 'asked') return {dialogue, transcript, calls};
  const section = sectionsOpen(dialogue)[0];
  const topic: Topic = {agent: 'greeter', state: 'greeting', ...(section ? {section} : {})};
  return {transcript, calls, ...(section ? {section} : {}), ...utter(dialogue, topic, message)};
}

/** The form's own question for the section. */
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
  const greeting = isFirst ? [texts.greeting(dialogue.questionnaire)] : [];
  const text = [...greeting, questions[section]].join('\n\n');
  return {section, ...utter(dialogue, {agent: 'greeter', state: 'greeting', section}, text)};
}

/** What was said answers the call of a model that asked; a question of the form's own had none. */
export function heardBack(state: GreeterState, heard: ExchangeOutput): Partial<GreeterState> {
  if (heard.kind === 'lost') return {failure: heard.failure};
  const {text} = heard;
  return {
    text,
    transcript: withResult(state.transcript, state.calls, text),
    calls: [],
    dialogue: heardBy(state.dialogue, greeterTopic(state), heard),
  };
}

/** A model that has talked for so long leaves the rest to the rules. */
export function isTalkedOut({dialogue: {said}, settings}: GreeterState): boolean {
  const heard = said.filter(({from, agent}) => from === 'person' && agent === 'greeter');
  return heard.length >= settings.maxLoops;
}

export function settingInput({dialogue, text}: GreeterState): SettingToRead {
  const {language, country} = dialogue.respondent;
  return {
    section: sectionsOpen(dialogue)[0] ?? 'timezone',
    text,
    ...(language === undefined ? {} : {language}),
    ...(country === undefined ? {} : {country}),
  };
}

export function settingTaken(
  state: GreeterState,
  {value, choices = []}: SettingReading,
): Partial<GreeterState> {
  const {dialogue, misses} = state;
  const section = sectionsOpen(dialogue)[0];
  if (value === undefined || !section) {
    const told = withNotice(dialogue, textsOf(dialogue).notUnderstood);
    return {dialogue: told, misses: misses + 1, choices};
  }
  const known = withSetting(dialogue, section, value);
  const hasChosen = section === 'language' && isLedByRule(state);
  return {dialogue: hasChosen ? withOtherLanguage(known) : known, misses: 0};
}

/** A time zone that follows from the country needs no question. */
export function inferred(
  {dialogue}: GreeterState,
  {value, choices = []}: SettingReading,
): Partial<GreeterState> {
  const known = value === undefined ? dialogue : withSetting(dialogue, 'timezone', value);
  return {dialogue: known, choices, hasInferred: true};
}

/** What stands in for a section that nobody tells; a country has none. The time zone is the spec's. */
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
  const told =
    value === undefined || section === 'language'
      ? assumed
      : withNotice(assumed, textsOf(assumed).assumed(section, value));
  return {dialogue: told, misses: 0};
}
