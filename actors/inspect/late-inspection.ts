/** An inspection that is loaded when it is first used. */

import {once} from '../../machines/domain/once.ts';
import type {Inspection} from './inspection-api.ts';

export function createLateInspection(load: () => Promise<Inspection>): Inspection {
  const inspection = once(load);
  return {
    trace: async function* trace(id, options) {
      yield* (await inspection()).trace(id, options);
    },
    modelCalls: async (id) => await (await inspection()).modelCalls(id),
    entryCount: async (id) => await (await inspection()).entryCount(id),
    inspectEntries: async (id, entries) => await (await inspection()).inspectEntries(id, entries),
  };
}
