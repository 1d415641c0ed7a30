/** Calls an adapter that may throw, as adapters of other programs do when their SDK throws. */

import {relative} from 'node:path';
import {fileURLToPath} from 'node:url';

import {toFailure} from '../../machines/domain/failure.ts';
import type {ModelFailure, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {Model, ModelCallContext} from './model.ts';

/**
 * Never rejects. An adapter that throws is `unavailable`: the call is repeated, then the run waits for the model. A programming
 * error is `internal`, and not repeated. Both messages name the line that threw.
 */
export async function callSafely(
  model: Model,
  request: ModelRequest,
  context: ModelCallContext,
): Promise<ModelOutcome> {
  try {
    return await model.call(request, context);
  } catch (error) {
    if (context.signal.aborted) return {kind: 'cancelled', message: 'the call was cancelled'};
    return failureOf(error, model.name);
  }
}

function failureOf(error: unknown, name: string): ModelFailure {
  const {message} = toFailure(error);
  const [stack, place] = placeOf(error);
  const at = place === undefined ? '' : `, at ${place}`;
  return isProgrammingError(error, stack)
    ? {kind: 'internal', message: `the model ${name} threw ${error.name}: ${message}${at}`}
    : {kind: 'unavailable', retryable: true, message: `the model ${name} threw: ${message}${at}`};
}

const programmingErrors = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, EvalError];

/** `fetch` throws a TypeError with a cause when the network fails; a reply that is not JSON makes `JSON.parse` throw. */
function isProgrammingError(error: unknown, stack: readonly string[]): error is Error {
  const isOne = programmingErrors.some((kind) => error instanceof kind);
  const isOfReply = stack[0]?.includes('JSON.parse') === true;
  return isOne && error instanceof Error && error.cause === undefined && !isOfReply;
}

/** The frames of the stack, and the place of the first one that is not in Node or in a package: `words.ts:24:39`. */
function placeOf(error: unknown): readonly [stack: readonly string[], place?: string] {
  const text = error instanceof Error ? String(error.stack) : '';
  const stack = text.split('\n').filter((line) => /^ {4}at /.test(line));
  const own = stack.flatMap((frame) => {
    const [, file = '', position = ''] =
      /((?:file:\/\/)?\/[^()]*?)((?::\d+)+)\)?$/.exec(frame) ?? [];
    return file === '' || file.includes('/node_modules/') ? [] : [`${shortPath(file)}${position}`];
  });
  return own[0] === undefined ? [stack] : [stack, own[0]];
}

/** Relative to the working folder, if it is below it. */
function shortPath(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const inside = relative('.', path);
  return inside.startsWith('..') ? path : inside;
}
