/**
 * Reverts changes to places that could not be guarded while a command ran: links, and protected places that take effect later.
 * Nothing is lost: the command's version gets another name.
 */

import {readFileSync, readlinkSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {smallFileText} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';
import {setAside} from '../../containment/set-aside.ts';
import {protectedIn} from './workspace.ts';

/** Reverts the changes and reports them: a line each, without a line end. Never throws. */
export type Revert = () => readonly string[];

/** For a trial: changes by other programs in the meantime stay. */
export const nothingToRevert: Revert = () => [];

/** `held`: places that the command can't change, so another program made any change there. */
export function watchPlaces(
  workspace: string,
  links: readonly string[],
  held: readonly string[],
): Revert {
  const before = new Set([...protectedIn(workspace), ...held]);
  const targets = links.map((path) => ({path, target: linkAt(path)}));
  const head = join(workspace, '.git/HEAD');
  const headText = smallFileText(head);
  return () => [
    ...targets.flatMap(({path, target}) => restoreLink(workspace, path, target)),
    ...protectedIn(workspace)
      .filter((path) => !before.has(path))
      .flatMap((path) => setAside(workspace, path, 'is protected: only a person may make it')),
    ...(headText !== '' && !isHead(head) ? [lostHead] : []),
  ];
}

const lostHead =
  '.git/HEAD no longer names a branch or a commit: until it does, git may obey other folders';

function isHead(path: string): boolean {
  const result = attempt(path, () => readFileSync(openable(path), 'latin1'));
  return result.ok && /^(?:ref: refs\/|[0-9a-f]{40})/.test(result.value);
}

function restoreLink(workspace: string, path: string, target: string | undefined): string[] {
  if (target === undefined || linkAt(path) === target) return [];
  const report = setAside(workspace, path, 'was a link, and is one again');
  return attempt(path, () => symlinkSync(target, path)).ok ? report : [];
}

function linkAt(path: string): string | undefined {
  const read = attempt(path, () => readlinkSync(path));
  return read.ok ? read.value : undefined;
}
