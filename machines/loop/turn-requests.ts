/** Requests of a turn loop: the one to its model, and the input of the actors that make its calls. */

import {evidenceOf} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import type {ModelRequest} from '../domain/model.ts';
import {engineLine} from '../prompts/section-text.ts';
import {appendMessages} from '../prompts/transcript.ts';
import type {ActionBrief} from './action.ts';
import {toolResult} from './call-result.ts';
import type {ToolCallInput} from './call-state.ts';
import {guarded, vouchersOf} from './leak-guard.ts';
import type {TurnLoopInput} from './loop-input.ts';
import {timeLeft} from './turn-limits.ts';
import type {TurnState} from './turn-state.ts';
import {type CallEnd, nextCalls, type OpenCall} from './turn.ts';

export function modelRequest({input, transcript, found}: TurnState): ModelRequest {
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
  };
}

/** Asks for a report in place of another turn. The tools stay in the request: some providers demand them for the earlier calls. */
export function reportRequest(state: TurnState): ModelRequest {
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

function toolCallInput(state: TurnState, {call, risk}: OpenCall): ToolCallInput {
  const {input, steps} = state;
  const {offered, tools, panel, retries, background, task, maxMessageBytes} = input;
  const brief = briefOf(state);
  const tool = offered.includes(call.name) ? tools.find(({name}) => name === call.name) : undefined;
  const vouchers = risk === 'high' ? vouchersOf(brief, steps, tools) : undefined;
  const vouching = vouchers ? {vouchers} : {};
  const done = risk === 'high' ? evidenceOf(steps, tools) : [];
  return {
    call: guarded(call, brief, steps, tools),
    tool,
    offered,
    panel,
    retries,
    maxMessageBytes,
    brief:
      risk === 'high' ? {...brief, evidence: [...brief.evidence, ...done], ...vouching} : brief,
    background,
    task,
    timeLeftMs: timeLeft(state),
  };
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
