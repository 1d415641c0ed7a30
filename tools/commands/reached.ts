/** Computers that effects reach, at addresses that someone has chosen. */

import {
  type Address,
  isThisMachine,
  namesHost,
  parseAddress,
} from '../../machines/places/address.ts';
import type {Effect} from './effect.ts';

/** It reaches a computer. Packages come from their managers' registries, unless an address names them. */
export function goesOut({kind, target}: Effect): boolean {
  return kind === 'fetches' || kind === 'sends' || (kind === 'installs' && isSource(target));
}

/** An address, or a module named by its host. */
function isSource(target: string): boolean {
  return /:\/\/|@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+\//.test(target);
}

/** Also for packages: `git+https://…`, `name@https://…`. */
export function addressReached({target}: Effect): Address | undefined {
  return parseAddress(target.replace(/^(?:[\w.@/-]+@)?(?:git\+)?(?=[a-z]+:\/\/)/i, ''));
}

/** Effects that reach another computer whose host is not in `known`. */
export function reachingUnknown(
  effects: readonly Effect[],
  known: readonly Address[],
): readonly Effect[] {
  return effects.filter((effect) => {
    if (!goesOut(effect) || effect.isOwn) return false;
    const address = addressReached(effect);
    return !address || !(isThisMachine(address) || namesHost(known, address));
  });
}
