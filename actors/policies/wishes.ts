/** What a person may wish for, and nobody should do of themselves. */

import {protectedKind} from '../../machines/places/places.ts';
import type {Effect} from '../../tools/commands/effect.ts';
import {changes} from './safety/losses.ts';

export function isPush({kind, target, by}: Effect): boolean {
  return kind === 'publishes' && (target.startsWith('git push') || /^git (?:\S+ )*push\b/.test(by));
}

/** Packages by their names, not as a manifest declares them. */
export function isNewPackage({kind, target}: Effect): boolean {
  return kind === 'installs' && !/^declared$|\bmanifest declares\b/.test(target);
}

/** Hooks, CI, editor and rc files, and the like. */
export function changesProtected({kind, place}: Effect): boolean {
  return changes.has(kind) && place?.inside === true && protectedKind(place.path) !== undefined;
}
