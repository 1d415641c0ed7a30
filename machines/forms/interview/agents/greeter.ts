/**
 * The greeter: finds out the language, the country and the time zone of the respondent.
 *
 * derived → thinking → conversing → thinking … → greeted
 * derived → posing → reading → derived …, by rule, also after the model was stuck; inferring the time zone from the country;
 * paused, failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {readSetting} from '../../../ports.ts';
import {openTranscript, type ToolCall, type Transcript} from '../../../prompts/transcript.ts';
import {
  isPause,
  type SettingReading,
  type SettingToRead,
} from '../../../questionnaire/answer-reading.ts';
import type {Section} from '../../../questionnaire/answers.ts';
import {settingToRead, textsOf, withNotice, withSetting} from '../dialogue.ts';
import {
  exchangeInput,
  exchangeMachine,
  type ExchangeOutput,
  recordReply,
  type Topic,
  utter,
  type Utterance,
  withOtherLanguage,
} from '../exchange.ts';
import {isLedByRule} from '../interview-settings.ts';
import {greeterMessage, greeterSystem} from '../prompts.ts';
import {textLanguages, textsFor} from '../texts/texts.ts';
import {
  type AgentLoopInput,
  agentLoopMachine,
  type AgentLoopOutput,
  sectionsOpen,
  withResult,
} from './agent-loop.ts';
import {type Assignment, failing, going, type Handover} from './handover.ts';

/** Limit of replies on one section that are not understood. Then a default is assumed. */
const maxMisses = 2;

const chart = setup({
  types: {} as {context: GreeterState; input: Assignment; output: Handover},
  actors: {agentLoop: agentLoopMachine, exchange: exchangeMachine, readSetting},
  actions: {
    takeLoop: assign(({context}, loop: AgentLoopOutput) => looped(context, loop)),
    ask: assign(({context}) => asked(context)),
    takeReply: assign(({context}, reply: ExchangeOutput) => greeterReplied(context, reply)),
    takeSetting: assign(({context}, reading: SettingReading) => settingTaken(context, reading)),
    takeInference: assign(({context}, reading: SettingReading) => inferred(context, reading)),
    addNotice: assign(({context}, reply: ExchangeOutput) => noticeAdded(context, reply)),
    assume: assign(({context}) => assumedNow(context)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isGreeted: ({context}) => sectionNow(context) === 'completed',
    isTalkedOut: ({context}) => isTalkedOut(context),
    isSpent: ({context}) => context.misses >= maxMisses,
    isInferable: ({context}) => isInferable(context),
    mayGiveMore: ({context}) => context.mayGiveMore,
    isByRule: ({context}) => context.isByRule || isTalkedOut(context),
    isAsked: (_, {kind}: AgentLoopOutput) => kind === 'asked',
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isPause: (_, reply: ExchangeOutput) => reply.kind === 'replied' && isPause(reply.route),
    isRefusal: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && ['skip', 'decline', 'without'].includes(reply.route.kind),
    isAside: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && ['why', 'help', 'back'].includes(reply.route.kind),
    isSwitch: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && reply.route.kind === 'language',
  },
});

const answeredByForm = [
  when('isLost', 'failed', 'takeReply'),
  when('isPause', 'paused', 'takeReply'),
  when('isAside', 'derived', 'takeReply', 'addNotice'),
] as const;

const crashing = onCrash('failed', 'takeFailure');

// The context of a greeter, and its updates.

/** A shorter reply gives one setting: 日本語 is not a country. */
const leastWords = 4;
const leastLength = 15;

/** Defaults for settings that the respondent does not give; the country has none. The specification sets the time zone. */
const assumptions: Readonly<Record<Section, string | undefined>> = {
  language: 'en',
  country: undefined,
  timezone: 'Asia/Tokyo',
};

export const greeterMachine = chart.createMachine({
  id: 'greeter',
  context: ({input}) => openGreeter(input),
  initial: 'derived',
  states: {
    derived: {
      tags: 'choice',
      always: [
        {guard: 'isInferable', target: 'inferring'},
        {guard: 'isGreeted', target: 'greeted'},
        {guard: 'mayGiveMore', target: 'reading'},
        {guard: 'isSpent', target: 'derived', reenter: true, actions: 'assume'},
        {guard: 'isByRule', target: 'posing', actions: 'ask'},
        {target: 'thinking'},
      ],
    },
    thinking: {
      invoke: {
        src: 'agentLoop',
        id: 'agent',
        input: ({context}) => loopInput(context),
        onDone: [when('isAsked', 'conversing', 'takeLoop'), otherwise('derived', 'takeLoop')],
        onError: crashing,
      },
    },
    conversing: {
      invoke: {
        src: 'exchange',
        id: 'exchange',
        input: ({context}) => exchangeInput(context, greeterTopic(context)),
        onDone: [
          ...answeredByForm,
          {
            guard: 'isTalkedOut',
            target: 'derived',
            actions: {type: 'takeReply', params: outputIn},
          },
          otherwise('thinking', 'takeReply'),
        ],
        onError: crashing,
      },
    },
    posing: {
      invoke: {
        src: 'exchange',
        id: 'exchange',
        input: ({context}) => exchangeInput(context, greeterTopic(context)),
        onDone: [
          ...answeredByForm,
          when('isSwitch', 'derived', 'takeReply'),
          {
            guard: {type: 'isRefusal', params: outputIn},
            target: 'derived',
            actions: [{type: 'takeReply', params: outputIn}, 'assume'],
          },
          otherwise('reading', 'takeReply'),
        ],
        onError: crashing,
      },
    },
    reading: {
      invoke: {
        src: 'readSetting',
        id: 'reading',
        input: ({context}) => settingInput(context),
        onDone: otherwise('derived', 'takeSetting'),
        onError: crashing,
      },
    },
    inferring: {
      invoke: {
        src: 'readSetting',
        id: 'inference',
        input: ({context}) => ({...settingInput(context), text: ''}),
        onDone: otherwise('derived', 'takeInference'),
        onError: crashing,
      },
    },
    greeted: {type: 'final', output: going('next')},
    paused: {type: 'final', output: going('pause')},
    failed: {type: 'final', tags: 'failure', output: failing},
  },
  output: ({event}) => event.output as Handover,
});

interface GreeterState extends Assignment, Utterance {
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

function openGreeter(input: Assignment): GreeterState {
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
function sectionNow({dialogue}: Pick<GreeterState, 'dialogue'>): Section | 'completed' {
  return sectionsOpen(dialogue)[0] ?? 'completed';
}

function greeterTopic({section}: Pick<GreeterState, 'section'>): Topic {
  return {agent: 'greeter', state: 'greeting', ...(section === undefined ? {} : {section})};
}

function loopInput({dialogue, settings, transcript}: GreeterState): AgentLoopInput {
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
function looped(state: GreeterState, loop: AgentLoopOutput): Partial<GreeterState> {
  const {kind, dialogue, transcript, calls, message} = loop;
  if (kind === 'stuck') return {dialogue, isByRule: true};
  if (kind !== 'asked') return {dialogue, transcript, calls};
  const [section] = sectionsOpen(dialogue);
  const about = section === undefined ? {} : {section};
  return {transcript, calls, ...about, ...utter(dialogue, greeterTopic(about), message)};
}

/** The form itself answers a question about its questions, and asks again. */
function noticeAdded(
  {dialogue, section = 'language'}: GreeterState,
  reply: ExchangeOutput,
): Partial<GreeterState> {
  const {whySetting, help, nothingBefore} = textsOf(dialogue);
  const kind = reply.kind === 'replied' ? reply.route.kind : 'help';
  const notice = {why: whySetting[section], back: nothingBefore}[kind as 'why' | 'back'] ?? help;
  return {dialogue: withNotice(dialogue, notice)};
}

/** A country that the person lives in says more about the time than the clock of a device. */
function isInferable({dialogue, hasInferred}: GreeterState): boolean {
  const {respondent, assumed} = dialogue;
  const isZoneOpen = respondent.timezone === undefined || assumed.includes('timezone');
  const isStated = respondent.country !== undefined && !assumed.includes('country');
  return !hasInferred && (sectionNow({dialogue}) === 'timezone' || (isZoneOpen && isStated));
}

/** Asks the built-in question for the section. */
function asked(state: GreeterState): Partial<GreeterState> {
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
function greeterReplied(state: GreeterState, reply: ExchangeOutput): Partial<GreeterState> {
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
function isTalkedOut({dialogue: {said}, settings}: GreeterState): boolean {
  const replies = said.filter(({from, agent}) => from === 'person' && agent === 'greeter');
  return replies.length >= settings.maxLoops;
}

function settingInput({dialogue, text}: GreeterState): SettingToRead {
  return settingToRead(dialogue, sectionsOpen(dialogue)[0] ?? 'timezone', text);
}

function settingTaken(
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
function inferred(
  {dialogue}: GreeterState,
  {value, choices = []}: SettingReading,
): Partial<GreeterState> {
  const known = value === undefined ? dialogue : withSetting(dialogue, 'timezone', value);
  return {dialogue: known, choices, hasInferred: true};
}

function assumedNow({dialogue}: GreeterState): Partial<GreeterState> {
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
