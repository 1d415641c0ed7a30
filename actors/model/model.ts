/** The contract of a model adapter, adapters from functions and from code that is loaded late, and calls of adapters that may throw. */

import {relative} from 'node:path';
import {fileURLToPath} from 'node:url';

import {toFailure} from '../../machines/domain/failure.ts';
import type {ModelFailure, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';

/** The definition of a tool, as sent to a provider. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelCallContext {
  /**
   * The definitions of `request.tools`, sorted by name; then the definitions that find_tools has brought in. Beyond a budget,
   * tools are only named in the description of find_tools; they can be called, too.
   */
  readonly tools: readonly OfferedTool[];
  /** Aborted when the call is cancelled or withdrawn: `call` must then resolve with `cancelled` at once. */
  readonly signal: AbortSignal;
  /** Called with each piece of answer text as it streams in. Must not throw. */
  readonly onDelta: (text: string) => void;
}

export interface Model {
  /** `provider/model`. */
  readonly name: string;
  /**
   * Makes one call, without retries. Resolves with the outcome; faults of the network, the provider or the reply are outcomes.
   * A call that throws or rejects counts as `unavailable`: it is repeated, then the run is suspended until it is resumed. A
   * programming error, such as a TypeError without a cause, counts as `internal` and is not repeated.
   */
  readonly call: (request: ModelRequest, context: ModelCallContext) => Promise<ModelOutcome>;
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/**
 * A model whose code is loaded at its first call, because most available models are never called. `load` imports it. If it fails, the call rejects; this is a bug, as the code is part of the package.
 */
export function createLateModel(name: string, load: () => Promise<Model>): Model {
  let loaded: Promise<Model> | undefined;
  return {
    name,
    call: async (request, context) => {
      loaded ??= load();
      const {call} = await loaded;
      return await call(request, context);
    },
  };
}

/** May throw or reject: then the call fails; see {@link Model.call}. */
export type AnswerModel = (
  request: ModelRequest,
  context: ModelCallContext,
) => ModelOutcome | Promise<ModelOutcome>;

/** `name` is `provider/model`. The text of a reply is streamed as one piece. */
export function createFunctionModel(name: string, answer: AnswerModel): Model {
  return {
    name,
    call: async (request, context) => {
      if (context.signal.aborted) return cancelled;
      const answered = answer(request, context);
      const outcome = answered instanceof Promise ? await orAbort(answered, context) : answered;
      if (outcome.kind === 'ok' && outcome.text !== '') context.onDelta(outcome.text);
      return outcome;
    },
  };
}

export const cancelled: ModelFailure = {kind: 'cancelled', message: 'the call was cancelled'};

async function orAbort(
  answer: Promise<ModelOutcome>,
  {signal}: ModelCallContext,
): Promise<ModelOutcome> {
  const aborted = Promise.withResolvers<ModelOutcome>();
  const abort = (): void => aborted.resolve(cancelled);
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

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
    if (context.signal.aborted) return cancelled;
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
