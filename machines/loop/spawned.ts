/** A call that spawns an interaction: what is begun, and what it comes to for whoever made the call. */

import {capBytes} from '../domain/buffer.ts';
import {contextModes} from '../domain/interaction-form.ts';
import type {FormOutput} from '../domain/result.ts';
import {textsAt} from '../domain/tool-facts.ts';
import type {ToolOutcome, ToolResult} from '../domain/tool.ts';
import type {ChildEvent, SpawnOrder} from '../tree/spawning.ts';
import {refusedResult, toolResult} from './call-result.ts';
import {callOf, type CallState} from './call-state.ts';

/** What is asked of the interaction above, by the arguments that were allowed. */
export function spawnOrder(state: CallState): SpawnOrder {
  const {args} = callOf(state);
  const contextMode = contextModes.find((mode) => mode === args['context_mode']);
  return {
    form: state.tool?.spawns ?? 'ask',
    request: textsAt(args, ['request']).join(''),
    by: 'model',
    isAwaited: isAwaited(state),
    ...(contextMode ? {contextMode} : {}),
  };
}

/** Whether the call goes on until what it has spawned has ended. */
export function isAwaited(state: CallState): boolean {
  return callOf(state).args['wait'] !== false;
}

/** Once it has ended, or was refused; or as soon as it has begun, if nobody waits for it. */
export function spawnedResult(state: CallState, told: ChildEvent): ToolResult {
  const call = callOf(state);
  if (told.type === 'child.refused') {
    return refusedResult(call, told.error.code, told.error.message);
  }
  if (told.type === 'child.spawned') {
    const text = `Begun as the interaction ${told.id}. Go on meanwhile: you are told what it came to once it has ended, unless you are done by then.`;
    return toolResult(call, {kind: 'succeeded', text});
  }
  const {id, result, text} = told;
  return toolResult(call, outcomeOf(id, result, capBytes(text, state.maxNews)));
}

/** Files that it wrote are evidence of whoever had it begun; what it read is not. */
function outcomeOf(id: string, result: FormOutput, text: string): ToolOutcome {
  const {status, sources, changes} = result;
  if (status !== 'completed') {
    const message = `The interaction ${id} did not complete (${status}).\n${text}`;
    return {kind: 'failed', code: 'child_failed', message};
  }
  return {
    kind: 'succeeded',
    text,
    ...(sources ? {sources} : {}),
    ...(changes ? {written: changes.map(({path}) => path)} : {}),
  };
}
