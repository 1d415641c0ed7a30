/** Files and folders that Quorate itself has left in a workspace; snapshots exclude them. */

import type {Stats} from 'node:fs';
import {basename} from 'node:path';

import {isTemporary} from '../../write/leftovers.ts';
import {isLeftover, mayBeLeftover} from '../sandbox/reserved-paths.ts';
import type {Entry} from './entry.ts';

/** Leftovers of an interrupted write or command of ours; not the user's files. */
export function isOfQuorate(path: string, kind: Entry['kind'], stats: Stats): boolean {
  if (kind === 'file') return isTemporary(basename(path));
  return kind === 'folder' && mayBeLeftover(stats) && isLeftover(path);
}
