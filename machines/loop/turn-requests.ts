/** What a turn loop asks of its model and of the actors that make its calls. */

import {evidenceOf} from '../domain/evidence.ts';
import type {ModelRequest} from '../domain/model.ts';
import type {Report} from '../domain/progress.ts';
import type {ToolCallInput} from './call-state.ts';
import {leakProblem} from './taint.ts';
import {callActor, delayOf, timeLeft, type TurnState} from './turn-state.ts';
import {failureOf, type OpenCall} from './turn.ts';

export function modelRequest({input, transcript}: TurnState): ModelRequest {
  const {purpose, model, system, offered, settings, isWithheld} = input;
  return {
    purpose,
    model,
    system,
    transcript,
    tools: offered,
    toolChoice: 'auto',
    maxOutputTokens: settings.maxOutputTokens,
    ...(isWithheld ? {isWithheld} : {}),
  };
}

export function toolCallInput(state: TurnState, open: OpenCall): ToolCallInput {
  const {input, steps, rejectionsInARow} = state;
  const {call, risk} = open;
  const {offered, settings, brief, retries, context, task} = input;
  const tool = offered.includes(call.name)
    ? settings.tools.find(({name}) => name === call.name)
    : undefined;
  const done = risk === 'high' ? evidenceOf(steps, settings.tools) : [];
  const problem = call.problem ?? leakProblem(call, brief.request, steps, settings.tools);
  return {
    call: problem === undefined ? call : {...call, problem},
    holder: `${input.name}/${callActor(state, open)}`,
    tool,
    offered,
    settings,
    retries,
    brief: risk === 'high' ? {...brief, evidence: [...brief.evidence, ...done]} : brief,
    context,
    task,
    rejectionsInARow,
    timeLeftMs: timeLeft(state),
  };
}

export function retryReport(state: TurnState): Report {
  const {input, tries} = state;
  return {
    type: 'model.retried',
    model: input.model,
    attempt: tries.attempts,
    delayMs: delayOf(state),
    reason: tries.last ? failureOf(tries.last).message : '',
  };
}
