/** A call that spawns an interaction: the spawn, and the result of the call. */

import {cap, capBytes, maxResultChars} from '../domain/buffer.ts';
import {contextModes} from '../domain/interaction-form.ts';
import type {FormOutput} from '../domain/result.ts';
import {textsAt} from '../domain/tool-facts.ts';
import type {ToolOutcome, ToolResult} from '../domain/tool.ts';
import type {ChildEvent, SpawnOrder} from '../tree/spawning.ts';
import {refusedResult, toolResult} from './call-result.ts';
import {callOf, type CallState} from './call-state.ts';

/** The spawn, from the allowed arguments of the call. */
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

/** True if the call waits for the end of the spawned interaction. */
export function isAwaited(state: CallState): boolean {
  return callOf(state).args['wait'] !== false;
}

/** The result when the spawned interaction has ended or was refused, or has started if the call does not wait. */
export function spawnedResult(state: CallState, event: ChildEvent): ToolResult {
  const call = callOf(state);
  if (event.type === 'child.refused') {
    return refusedResult(call, event.error.code, event.error.message);
  }
  if (event.type === 'child.spawned') {
    const text = `Started as the interaction ${event.id}. Continue with your work: you receive its result once it has ended, unless you are done by then.`;
    return toolResult(call, {kind: 'succeeded', text});
  }
  const {id, result, text} = event;
  return toolResult(
    call,
    outcomeOf(id, result, cap(capBytes(text, state.maxMessageBytes), maxResultChars)),
  );
}

/** Files that it wrote count as evidence of its spawner; files that it read do not. */
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
