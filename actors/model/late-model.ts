/** A model whose code is loaded when it is called first: most of those that could be called never are. */

import type {Model} from './model.ts';

/** `load` imports it. A call rejects when that fails, which is a bug: the code is part of the package. */
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
