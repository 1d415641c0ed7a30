/** Calls an adapter that may throw, as adapters of other programs do when their SDK throws. */

import {toFailure} from '../../machines/domain/failure.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {Model, ModelCallContext} from './model.ts';

/** Never rejects. An adapter that throws is `unavailable`: the call is repeated, then the run waits for the model. */
export async function callSafely(
  model: Model,
  request: ModelRequest,
  context: ModelCallContext,
): Promise<ModelOutcome> {
  try {
    return await model.call(request, context);
  } catch (error) {
    if (context.signal.aborted) return {kind: 'cancelled', message: 'the call was cancelled'};
    const message = `the model ${model.name} threw: ${toFailure(error).message}`;
    return {kind: 'unavailable', retryable: true, message};
  }
}
