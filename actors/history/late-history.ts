/** A history that is loaded when it is first used. */

import {once} from '../../machines/domain/once.ts';
import type {History} from './history-api.ts';

export function createLateHistory(load: () => Promise<History>): History {
  const history = once(load);
  return {
    replay: async (id) => await (await history()).replay(id),
    at: async (id, point) => await (await history()).at(id, point),
    diff: async (id, from, to) => await (await history()).diff(id, from, to),
    fork: async (id, how) => await (await history()).fork(id, how),
    copyFolder: async (id, at, target) => await (await history()).copyFolder(id, at, target),
    rewind: async (id, how) => await (await history()).rewind(id, how),
  };
}
