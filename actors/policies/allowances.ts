/** Effects that are allowed only if a person requests them. */

import {protectedKind} from '../../machines/places/places.ts';
import type {Effect} from '../../tools/commands/effect.ts';
import {changes} from './safety/losses.ts';

export function isPush({kind, target, by}: Effect): boolean {
  return kind === 'publishes' && (target.startsWith('git push') || /^git (?:\S+ )*push\b/.test(by));
}

/** True for packages that are installed by name, not from a manifest. */
export function isNewPackage({kind, target}: Effect): boolean {
  return kind === 'installs' && !/^declared$|\bmanifest declares\b/.test(target);
}

/** True for a change of hooks, CI, editor and rc files, and other protected places. */
export function changesProtected({kind, place}: Effect): boolean {
  return changes.has(kind) && place?.inside === true && protectedKind(place.path) !== undefined;
}
