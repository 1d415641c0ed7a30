/** A model from a plain function, for tests, measurements and a program's own rules. */

import type {ModelFailure, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {Model, ModelCallContext} from './model.ts';

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

const cancelled: ModelFailure = {kind: 'cancelled', message: 'the call was cancelled'};

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
