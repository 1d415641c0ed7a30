/**
 * Limits an untrusted project file to stricter settings: the author of a project is not necessarily the person who runs
 * Quorate in it.
 */

import {type KeyPath, rowAt} from '../../actors/config/schema.ts';
import type {PanelSize} from '../../actors/config/sections/row.ts';

/** True when an untrusted file may set the key to `next`, given the user's value `now`. */
export function mayTighten(path: KeyPath, next: unknown, now: unknown, panel: PanelSize): boolean {
  if (JSON.stringify(next) === JSON.stringify(now)) return true;
  return rowAt(path)?.stricter?.(next, now, panel) ?? false;
}
