/** Requests of a turn loop: the one to its model, and the input of the actors that make its calls. */

import {evidenceOf} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import type {ModelOutcome} from '../domain/model.ts';
import {isArgumentFault, type ToolInfo, toolNamed} from '../domain/tool.ts';
import type {ModelCallInput} from '../model-call.ts';
import {engineLine} from '../prompts/section-text.ts';
import {appendMessages, type ToolCall} from '../prompts/transcript.ts';
import type {ActionReviewInput} from './action-state.ts';
import {type ActionBrief, type ActionReviewOutput, type CallReview, voided} from './action.ts';
import {type ToolCallInput, toolResult} from './call-state.ts';
import {guarded, vouchersOf} from './leak-guard.ts';
import {
  type CallEnd,
  isAfterFailure,
  isAllRefused,
  maxIdenticalCalls,
  nextCalls,
  type OpenCall,
  repetitionsOf,
  type StopReason,
  type TurnLoopInput,
  type TurnState,
  withEnd,
} from './turn.ts';

export function modelRequest(state: TurnState): ModelCallInput {
  const {input, transcript, found} = state;
  const {purpose, model, system, offered, maxOutputTokens, isWithheld} = input;
  return {
    purpose,
    model,
    system,
    transcript,
    tools: offered,
    ...(found.length > 0 && canFind(input) ? {found} : {}),
    toolChoice: 'auto',
    maxOutputTokens,
    ...(isWithheld ? {isWithheld} : {}),
    waitMs: timeLeft(state),
  };
}

/** Asks for a report in place of another turn. The tools stay in the request: some providers demand them for the earlier calls. */
export function reportRequest(state: TurnState): ModelCallInput {
  return {
    ...modelRequest({
      ...state,
      transcript: appendMessages(state.transcript, {role: 'user', text: reportTask}),
    }),
    toolChoice: 'none',
  };
}

const reportTask = engineLine`No turns are left: no tool can be called any more. Report what is done, what is left, and what the next \
worker has to know. Name files and commands.`;

/** Without a tool that finds others, as in runs of earlier versions, no definition is deferred. */
function canFind({offered, tools}: TurnLoopInput): boolean {
  return tools.some(({name, finds}) => finds === true && offered.includes(name));
}

/** The brief of a call: its request includes the messages that persons sent meanwhile. */
function briefOf({input: {brief}, received}: TurnState): ActionBrief {
  const request = [brief.request, ...received.words].join('\n\n');
  return {...brief, request, ...(received.hasRetoldText ? {hasRetoldText: true} : {})};
}

/** The brief of a high-risk call, with the evidence of the loop. */
function riskyBrief(state: TurnState): ActionBrief {
  const {steps, input} = state;
  const brief = briefOf(state);
  const vouchers = vouchersOf(brief, steps, input.tools);
  const evidence = [...brief.evidence, ...evidenceOf(steps, input.tools)];
  return {...brief, evidence, ...(vouchers ? {vouchers} : {})};
}

function toolCallInput(state: TurnState, open: OpenCall): ToolCallInput {
  const {input, steps} = state;
  const {offered, tools, panel, retries, background, task, maxMessageBytes} = input;
  const {call, risk} = open;
  const brief = briefOf(state);
  const decided = decidedOn(state, open);
  return {
    call: guarded(call, brief, steps, tools),
    tool: offeredTool(state, call),
    offered,
    panel,
    ...(decided ? {decided} : {}),
    retries,
    maxMessageBytes,
    brief: risk === 'high' ? riskyBrief(state) : brief,
    background,
    task,
    timeLeftMs: timeLeft(state),
  };
}

function offeredTool({input: {offered, tools}}: TurnState, {name}: ToolCall): ToolInfo | undefined {
  return offered.includes(name) ? toolNamed(name, tools) : undefined;
}

/** After a failure, the other calls of the proposal are void: they were judged as if the one before had succeeded. */
function decidedOn({turn}: TurnState, open: OpenCall): CallReview | undefined {
  const decided = turn.decided[open.index];
  return decided?.kind === 'allowed' && isAfterFailure(turn, open)
    ? voided('a call before it in the same turn has not succeeded')
    : decided;
}

/** The valid high-risk calls of the turn, if there are several: they are one proposal. */
export function proposedCalls(state: TurnState): readonly OpenCall[] {
  const {turn, input} = state;
  if (input.panel.quorum.perTurn !== true) return [];
  const calls = turn.waiting.filter(
    ({isAlone, call}) =>
      isAlone && call.problem === undefined && offeredTool(state, call) !== undefined,
  );
  return calls.length > 1 ? calls : [];
}

export function turnReviewInput(state: TurnState): ActionReviewInput {
  const {panel, background} = state.input;
  const calls = proposedCalls(state).map(({call}) => ({call, tool: offeredTool(state, call)}));
  return {calls, panel, brief: riskyBrief(state), background};
}

/** The review of the turn has ended; after a crash, which is a bug, none of its calls may run. */
export function turnReviewed(state: TurnState, reviews: ActionReviewOutput | Failure): TurnState {
  const decided = proposedCalls(state).flatMap(({index}, at): [number, CallReview][] => {
    const review: CallReview | undefined =
      'code' in reviews ? {kind: 'refused', failure: reviews} : reviews[at];
    return !review || review.kind === 'left' ? [] : [[index, review]];
  });
  return {...state, turn: {...state.turn, decided: Object.fromEntries(decided)}};
}

/** The start of a call's actor. */
export interface CallStart {
  readonly id: string;
  readonly input: ToolCallInput;
}

/** Calls `start` for every call that may start now. */
export function startCalls(state: TurnState, start: (call: CallStart) => void): TurnState {
  const {turn} = state;
  const next = nextCalls(turn.waiting, turn.running);
  if (next.length === 0) return state;
  for (const open of next) start({id: callActor(state, open), input: toolCallInput(state, open)});
  const waiting = turn.waiting.filter((open) => !next.includes(open));
  return {...state, turn: {...turn, waiting, running: [...turn.running, ...next]}};
}

/** The id of the actor that makes a call. */
function callActor({turns}: TurnState, {index}: Pick<OpenCall, 'index'>): string {
  return `call:${turns}.${index}`;
}

/** The end of a call whose actor crashed, which is a bug: the model receives a failure. */
export function endOfCrash(state: TurnState, actorId: string, failure: Failure): CallEnd {
  const {running} = state.turn;
  const open = running.find((each) => callActor(state, each) === actorId);
  const call = open?.call ?? {id: actorId, name: actorId, args: {}};
  return {callId: call.id, result: toolResult(call, {kind: 'failed', ...failure}), ms: 0};
}

// Conditions that end a turn loop without an answer.

/** After a rejection one more repetition is allowed, so that the third rejection in a row goes to a person. */
export function isRepeated({repetition, steps}: TurnState, outcome: ModelOutcome): boolean {
  if (outcome.kind !== 'ok') return false;
  const most = maxIdenticalCalls + (steps.at(-1)?.status === 'rejected' ? 1 : 0);
  return repetitionsOf(repetition, outcome.calls).some(({count}) => count >= most);
}

/** The reason why the turn that ends with this call is the last one; undefined if another may follow. */
export function endOfTurns(state: TurnState, end: CallEnd): StopReason | undefined {
  const {turns, refusedTurns, input, spentMs} = state;
  const turn = withEnd(state.turn, end);
  if (isAllRefused(turn) && refusedTurns >= input.maxRefusedTurns) return 'invalid_calls';
  if (turns >= input.maxTurns) return 'max_turns';
  return spentMs + turn.ms >= (input.timeLimitMs ?? Infinity) ? 'time_limit' : undefined;
}

/** True if the turn that ends with this call is the last one, and the model is to report. */
export function isToReport(state: TurnState, end: CallEnd): boolean {
  return state.input.reportsAtLimit === true && endOfTurns(state, end) === 'max_turns';
}

/** True if a call of the turn failed permanently, in a loop where this ends it. */
export function isDegraded({turn, input}: TurnState, end: CallEnd): boolean {
  if (!input.isDegradable) return false;
  return Object.values(withEnd(turn, end).settled).some(
    ({status, failure}) => status === 'failed' && !(failure && isArgumentFault(failure)),
  );
}

/** Running time left, ms; undefined when there is no limit. */
export function timeLeft({input, spentMs}: TurnState): number | undefined {
  return input.timeLimitMs === undefined ? undefined : Math.max(0, input.timeLimitMs - spentMs);
}
