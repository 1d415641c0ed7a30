/** The contract of a model adapter. */

import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';

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
