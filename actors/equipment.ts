/** Tools and performers, made once for all runs that work on the same. */

import {canonicalJson} from '../machines/domain/digest.ts';
import type {Toolbox} from '../tools/index.ts';
import type {Performers} from './performers.ts';
import type {Tooling} from './tooling.ts';

export interface Equipment {
  readonly toolbox: Toolbox;
  readonly performers: Performers;
}

export function createEquipment(
  make: (tooling: Tooling) => Equipment,
): (tooling: Tooling) => Equipment {
  const made = new Map<string, Equipment>();
  return (tooling) => {
    const key = canonicalJson(tooling);
    const known = made.get(key) ?? make(tooling);
    made.set(key, known);
    return known;
  };
}
