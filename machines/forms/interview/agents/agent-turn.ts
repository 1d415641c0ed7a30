/** The turns of an agent that leads an interview: its pending calls, and the results that it receives. */

import type {ModelReply} from '../../../domain/model.ts';
import {engineLine, listText, stacked} from '../../../prompts/section-text.ts';
import {
  appendMessages,
  type Message,
  replyMessage,
  type ToolCall,
  type Transcript,
} from '../../../prompts/transcript.ts';
import type {SettingReading} from '../../../questionnaire/answer-reading.ts';
import {type Section, sections} from '../../../questionnaire/answers.ts';
import {type Dialogue, fieldOf, withSetting} from '../dialogue.ts';

export type LeadingAgent = 'greeter' | 'interviewer';

export interface AgentTurns {
  readonly agent: LeadingAgent;
  readonly dialogue: Dialogue;
  readonly transcript: Transcript;
  /** The field that is asked about. */
  readonly field?: string;
  /** True when there is an answer that no reviewer has judged. */
  readonly canReview: boolean;
  /** Calls of the turn without a result. */
  readonly calls: readonly ToolCall[];
  /** Number of replies of the model. */
  readonly loops: number;
  /** Number of the last replies in a row that called no tool. */
  readonly silent: number;
  /** Number of the last replies in a row that set nothing. */
  readonly fruitless: number;
}

export const noTurns = {loops: 0, silent: 0, fruitless: 0} as const;

/** Limits of `silent` and `fruitless`: with either, the model makes no progress. */
const maxSilent = 2;
const maxFruitless = 3;

export function leadsNowhere({silent, fruitless}: AgentTurns): boolean {
  return silent >= maxSilent || fruitless >= maxFruitless;
}

export function replyTaken(state: AgentTurns, reply: ModelReply): Partial<AgentTurns> {
  const {calls} = reply;
  return {
    transcript: appendMessages(state.transcript, replyMessage(reply)),
    calls,
    loops: state.loops + 1,
    silent: calls.length === 0 ? state.silent + 1 : 0,
    fruitless: state.fruitless + 1,
  };
}

/** Adds the result of the first pending call to the conversation. */
export function callAnswered(
  state: AgentTurns,
  text: string,
  isError = false,
): Partial<AgentTurns> {
  const [call, ...calls] = state.calls;
  if (!call) return {};
  return {calls, transcript: appendMessages(state.transcript, resultOf(call, text, isError))};
}

export function settingRead(
  state: AgentTurns,
  section: Section,
  {value, problem = 'it was not understood', choices = []}: SettingReading,
): Partial<AgentTurns> {
  if (value === undefined) {
    const which = choices.length > 0 ? `; it may be one of ${choices.join(', ')}` : '';
    return callAnswered(state, `${problem}${which}`, true);
  }
  const {dialogue, fruitless} = state;
  const isKnown = dialogue.respondent[section] === value;
  return {
    ...callAnswered(state, `The ${section} is ${value}.`),
    dialogue: withSetting(dialogue, section, value),
    fruitless: isKnown ? fruitless : 0,
  };
}

/** Adds the result of the call that the loop ended with: the person's reply, or a review. Other pending calls fail. */
export function withResult(
  transcript: Transcript,
  calls: readonly ToolCall[],
  text: string,
): Transcript {
  const [call, ...others] = calls;
  if (!call) return transcript;
  const left = others.map((each) =>
    resultOf(each, 'Not done: another call of this turn came first.', true),
  );
  return appendMessages(transcript, resultOf(call, text, false), ...left);
}

function resultOf({id, name}: ToolCall, text: string, isError: boolean): Message {
  return {role: 'tool', callId: id, name, text, isError};
}

/** The remaining tasks of an agent, in the words of its reminder. */
export function remaining({agent, dialogue, field, canReview}: AgentTurns): string[] {
  if (agent === 'greeter') {
    return sectionsOpen(dialogue).map(
      (section) => `Set the ${names[section]} using set_${section}`,
    );
  }
  const label = field === undefined ? '' : fieldOf(dialogue, field).label;
  return [
    canReview
      ? `Have the answer to "${label}" reviewed using subtask, or ask again using ask`
      : `Ask the respondent about "${label}" using ask`,
  ];
}

const names: Readonly<Record<Section, string>> = {
  language: 'user language',
  country: 'country of residence',
  timezone: 'timezone',
};

/** The settings that are neither known nor assumed. */
export function sectionsOpen({respondent, assumed}: Dialogue): Section[] {
  return sections.filter(
    (section) => respondent[section] === undefined && !assumed.includes(section),
  );
}

/** Adds a reminder of the remaining tasks to the conversation. */
export function reminded(state: AgentTurns): Partial<AgentTurns> {
  const tasks = remaining(state).map((task) => engineLine`${task}`);
  const text = stacked(engineLine`You still need to:`, listText(tasks));
  return {transcript: appendMessages(state.transcript, {role: 'user', text})};
}
