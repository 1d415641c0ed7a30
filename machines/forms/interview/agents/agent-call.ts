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
  | {readonly kind: 'none' | 'handOver'}
  | {readonly kind: 'ask'; readonly message: string}
  | {readonly kind: 'route'; readonly route: Route}
  | {readonly kind: 'setting'; readonly section: Section; readonly text: string}
  | {readonly kind: 'refused'; readonly problem: string};

/** Names of the tools offered to an agent. */
export function offeredTo(agent: LeadingAgent): readonly string[] {
  return Object.keys(agent === 'greeter' ? greeterTools : interviewerTools);
}

export function stepOf(state: AgentTurns): Step {
  const [call] = state.calls;
  if (!call) return {kind: 'none'};
  const problem = callProblem(state, call);
  if (problem !== undefined) return {kind: 'refused', problem};
  if (call.name === 'ask') return {kind: 'ask', message: textIn(call, 'message')};
  if (call.name === 'subtask') return {kind: 'handOver'};
  const section = sections.find((each) => call.name === `set_${each}`);
  return section
    ? {kind: 'setting', section, text: textIn(call, section)}
    : {kind: 'route', route: routeOf(call)};
}

function callProblem(state: AgentTurns, call: ToolCall): string | undefined {
  const offered = offeredTo(state.agent);
  const schema = offered.includes(call.name) ? agentTools[call.name] : undefined;
  if (!schema) return `there is no tool ${call.name}; there are ${offered.join(', ')}`;
  if (call.problem !== undefined) return call.problem;
  const reading = readBy(schema, call.args);
  if (!reading.ok) return reading.problems.join('\n');
  if (call.name === 'subtask' && !state.canReview) {
    return 'there is no answer to review yet: ask the respondent first';
  }
  return call.name === 'route' ? misrouted(state, call) : undefined;
}

function routeOf(call: ToolCall): Route {
  const kind = textIn(call, 'kind');
  if (kind !== 'correct') return {kind: kind === 'decline' || kind === 'pause' ? kind : 'skip'};
  const [field, text] = [textIn(call, 'field_id'), textIn(call, 'text')];
  return {kind, field, ...(text === '' ? {} : {text})};
}

/** A model can't skip, decline or correct on its own: it must quote the person's last reply, given on this field. */
function misrouted(state: AgentTurns, call: ToolCall): string | undefined {
  const {dialogue, field, canReview} = state;
  const last = dialogue.said.findLast(({from}) => from === 'person')?.text ?? '';
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
