/** One turn of an agent that leads an interview: what its calls ask for, and what it is told of them. */

import type {Route, SettingReading} from '../../domain/answer-reading.ts';
import {isSaid} from '../../domain/answer-review.ts';
import {type Section, sections} from '../../domain/answers.ts';
import type {ModelReply} from '../../domain/model.ts';
import {readBy} from '../../domain/reading.ts';
import {
  appendMessages,
  type Message,
  type ToolCall,
  type Transcript,
} from '../../domain/transcript.ts';
import {agentTools, greeterTools, interviewerTools} from './agent-tools.ts';
import {applicable, type Dialogue, fieldOf, withSetting} from './dialogue.ts';

export type LeadingAgent = 'greeter' | 'interviewer';

export interface AgentTurns {
  readonly agent: LeadingAgent;
  readonly dialogue: Dialogue;
  readonly transcript: Transcript;
  /** The field that is asked about. */
  readonly field?: string;
  /** There is an answer that no reviewer has judged. */
  readonly canReview: boolean;
  /** Calls of the turn that are not done yet. */
  readonly calls: readonly ToolCall[];
  /** Replies of the model so far. */
  readonly loops: number;
}

/** What the first of the calls that are left asks for. */
export type Step =
  | {readonly kind: 'none'}
  | {readonly kind: 'ask'; readonly call: ToolCall; readonly message: string}
  | {readonly kind: 'handOver'; readonly call: ToolCall}
  | {readonly kind: 'route'; readonly call: ToolCall; readonly route: Route}
  | {
      readonly kind: 'setting';
      readonly call: ToolCall;
      readonly section: Section;
      readonly text: string;
    }
  | {readonly kind: 'refused'; readonly call: ToolCall; readonly problem: string};

/** Names of the tools that an agent is offered. */
export function offeredTo(agent: LeadingAgent): readonly string[] {
  return Object.keys(agent === 'greeter' ? greeterTools : interviewerTools);
}

export function replyTaken(state: AgentTurns, {text, calls}: ModelReply): Partial<AgentTurns> {
  return {
    transcript: appendMessages(state.transcript, {role: 'assistant', text, calls}),
    calls,
    loops: state.loops + 1,
  };
}

export function stepOf(state: AgentTurns): Step {
  const [call] = state.calls;
  if (!call) return {kind: 'none'};
  if (!offeredTo(state.agent).includes(call.name)) {
    const problem = `there is no tool ${call.name}; there are ${offeredTo(state.agent).join(', ')}`;
    return {kind: 'refused', call, problem};
  }
  const schema = agentTools[call.name];
  const reading = schema && call.problem === undefined ? readBy(schema, call.args) : undefined;
  if (!reading?.ok) {
    const problem = call.problem ?? reading?.problems.join('\n') ?? 'invalid arguments';
    return {kind: 'refused', call, problem};
  }
  return meant(state, call);
}

/** Of a call whose arguments are valid. */
function meant(state: AgentTurns, call: ToolCall): Step {
  if (call.name === 'ask') return {kind: 'ask', call, message: textIn(call, 'message')};
  if (call.name === 'subtask') return handedOver(state, call);
  if (call.name === 'route') return routed(state, call);
  const section = sections.find((each) => call.name === `set_${each}`);
  if (!section) return {kind: 'refused', call, problem: `${call.name} does nothing here`};
  return {kind: 'setting', call, section, text: textIn(call, section)};
}

function handedOver({canReview}: AgentTurns, call: ToolCall): Step {
  if (canReview) return {kind: 'handOver', call};
  const problem = 'there is no answer to review yet: ask the respondent first';
  return {kind: 'refused', call, problem};
}

/** Nobody may skip, decline or correct in a person's place: the model quotes what they said last. */
function routed(state: AgentTurns, call: ToolCall): Step {
  const {dialogue, field} = state;
  const last = dialogue.said.findLast(({from}) => from === 'person')?.text ?? '';
  const quote = textIn(call, 'quote');
  if (!isSaid(quote, [last])) {
    return {kind: 'refused', call, problem: `the respondent did not say ${JSON.stringify(quote)}`};
  }
  const kind = textIn(call, 'kind');
  if (kind === 'correct') return corrected(dialogue, call, last);
  if (kind === 'skip' && field !== undefined && fieldOf(dialogue, field).required) {
    const problem = 'the field is required: it can be declined, but not skipped';
    return {kind: 'refused', call, problem};
  }
  return {
    kind: 'route',
    call,
    route: {kind: kind === 'decline' || kind === 'pause' ? kind : 'skip'},
  };
}

function corrected(dialogue: Dialogue, call: ToolCall, last: string): Step {
  const field = textIn(call, 'field_id');
  const ids = applicable(dialogue).map(({id}) => id);
  if (!ids.includes(field)) {
    return {
      kind: 'refused',
      call,
      problem: `there is no field ${field}; there are ${ids.join(', ')}`,
    };
  }
  const text = textIn(call, 'text');
  if (text !== '' && !isSaid(text, [last])) {
    return {kind: 'refused', call, problem: `the respondent did not say ${JSON.stringify(text)}`};
  }
  return {kind: 'route', call, route: {kind: 'correct', field, ...(text === '' ? {} : {text})}};
}

function textIn({args}: ToolCall, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The first call is done: the model reads what it came to. */
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
  return {
    ...callAnswered(state, `The ${section} is ${value}.`),
    dialogue: withSetting(state.dialogue, section, value),
  };
}

/** The conversation once the person's reply, or what the reviewer says, has answered the call that the loop ended with. */
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

/** What an agent still has to do, in the words by which it is reminded. */
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

/** The sections that are neither said nor assumed. */
export function sectionsOpen({respondent, assumed}: Dialogue): Section[] {
  return sections.filter(
    (section) => respondent[section] === undefined && !assumed.includes(section),
  );
}

/** The conversation with a reminder of what is left. */
export function reminded(state: AgentTurns): Partial<AgentTurns> {
  const tasks = remaining(state).map((task) => `- ${task}`);
  const text = ['You still need to:', ...tasks].join('\n');
  return {transcript: appendMessages(state.transcript, {role: 'user', text})};
}
