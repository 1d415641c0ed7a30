/** Turns the tool calls of an agent that leads an interview into steps. */

import type {ToolCall} from '../../../prompts/transcript.ts';
import type {Route} from '../../../questionnaire/answer-reading.ts';
import {isSaid} from '../../../questionnaire/answer-review.ts';
import {type Section, sections} from '../../../questionnaire/answers.ts';
import {readBy} from '../../../questions/reading.ts';
import {applicable, fieldOf} from '../dialogue.ts';
import {agentTools, greeterTools, interviewerTools} from './agent-tools.ts';
import type {AgentTurns, LeadingAgent} from './agent-turn.ts';

/** The step that the first pending call requests. */
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

/** Names of the tools offered to an agent. */
export function offeredTo(agent: LeadingAgent): readonly string[] {
  return Object.keys(agent === 'greeter' ? greeterTools : interviewerTools);
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
  return validStep(state, call);
}

/** The step of a call with valid arguments. */
function validStep(state: AgentTurns, call: ToolCall): Step {
  if (call.name === 'ask') return {kind: 'ask', call, message: textIn(call, 'message')};
  if (call.name === 'subtask') return handedOver(state, call);
  if (call.name === 'route') return routed(state, call);
  const section = sections.find((each) => call.name === `set_${each}`);
  if (!section) return {kind: 'refused', call, problem: `${call.name} has no effect here`};
  return {kind: 'setting', call, section, text: textIn(call, section)};
}

function handedOver({canReview}: AgentTurns, call: ToolCall): Step {
  if (canReview) return {kind: 'handOver', call};
  const problem = 'there is no answer to review yet: ask the respondent first';
  return {kind: 'refused', call, problem};
}

/** A model can't skip, decline or correct on its own: it must quote the person's last reply, given on this field. */
function routed(state: AgentTurns, call: ToolCall): Step {
  const last = state.dialogue.said.findLast(({from}) => from === 'person')?.text ?? '';
  const problem = misrouted(state, call, last);
  if (problem !== undefined) return {kind: 'refused', call, problem};
  const kind = textIn(call, 'kind');
  if (kind === 'correct') {
    const [field, text] = [textIn(call, 'field_id'), textIn(call, 'text')];
    return {kind: 'route', call, route: {kind, field, ...(text === '' ? {} : {text})}};
  }
  return {
    kind: 'route',
    call,
    route: {kind: kind === 'decline' || kind === 'pause' ? kind : 'skip'},
  };
}

/** Why the call can't route the conversation; undefined when it can. */
function misrouted(state: AgentTurns, call: ToolCall, last: string): string | undefined {
  const {dialogue, field, canReview} = state;
  const [kind, quote] = [textIn(call, 'kind'), textIn(call, 'quote')];
  if (!isSaid(quote, [last])) return `the respondent did not say ${JSON.stringify(quote)}`;
  if (!canReview) return 'the respondent has said nothing on the current field: ask first';
  if (kind === 'correct') return miscorrected(state, call, last);
  return kind === 'skip' && field !== undefined && fieldOf(dialogue, field).required
    ? 'the field is required: it can be declined, but not skipped'
    : undefined;
}

function miscorrected(
  {dialogue, field: current}: AgentTurns,
  call: ToolCall,
  last: string,
): string | undefined {
  const [field, text] = [textIn(call, 'field_id'), textIn(call, 'text')];
  if (field === current) return `${field} is the current field: call subtask, or ask again`;
  const ids = applicable(dialogue).map(({id}) => id);
  if (!ids.includes(field)) return `there is no field ${field}; there are ${ids.join(', ')}`;
  return text === '' || isSaid(text, [last])
    ? undefined
    : `the respondent did not say ${JSON.stringify(text)}`;
}

function textIn({args}: ToolCall, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value.trim() : '';
}
