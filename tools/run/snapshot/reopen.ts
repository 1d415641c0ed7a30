/**
 * Folders that a command has made unreadable: its changes in them could be neither reported nor undone. Their owner gets read
 * access again.
 */

import {lstatSync} from 'node:fs';
import {basename, dirname} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {changeMode, openFolder} from '../../containment/folder.ts';
import type {Manifest} from './entry.ts';
import type {Seen} from './view.ts';

/** Access for the owner, to read the folder and to restore its content. */
const readable = 0o700;

export interface Reopened {
  readonly seen: Seen;
  /** Folders that are readable again: paths relative to the workspace. */
  readonly reopened: readonly string[];
}

/** Repeats `take` while it finds newly closed folders and can open them. Rejects as `take` does. */
export async function takeReopened(
  {workspace, before}: {readonly workspace: string; readonly before: Manifest},
  take: () => Promise<Seen>,
): Promise<Reopened> {
  const seen = await take();
  const closed = 'closed' in seen ? (seen.closed ?? []) : [];
  const opened = closed.filter((path) => !before.closed?.includes(path) && open(workspace, path));
  if (opened.length === 0) return {seen, reopened: []};
  const later = await takeReopened({workspace, before}, take);
  return {seen: later.seen, reopened: [...opened, ...later.reopened]};
}

function open(workspace: string, path: string): boolean {
  const parts = dirname(path) === '.' ? [] : dirname(path).split('/');
  const opened = attempt(path, () => {
    const outer = openFolder(workspace, parts);
    try {
      const place = outer.reach(basename(path));
      const stats = lstatSync(place);
      changeMode(place, (stats.mode & 0o7777) | readable);
    } finally {
      outer.close();
    }
  });
  return opened.ok;
}
