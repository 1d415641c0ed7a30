/** A model whose code is loaded at its first call, because most available models are never called. */

import type {Model} from './model.ts';

/** `load` imports the model. If it fails, the call rejects; this is a bug, as the code is part of the package. */
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
