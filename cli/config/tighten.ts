/**
 * What a project file may do before the user trusts it: make things stricter. Whoever wrote the project is not
 * whoever runs it here.
 */

import {type KeyPath, rowAt} from '../../actors/config/keys.ts';
import type {PanelSize} from '../../actors/config/sections/stricter.ts';

/** Whether an untrusted file may set the key to `next` where the user has `now`. */
export function mayTighten(path: KeyPath, next: unknown, now: unknown, panel: PanelSize): boolean {
  if (JSON.stringify(next) === JSON.stringify(now)) return true;
  return rowAt(path)?.stricter?.(next, now, panel) ?? false;
}
