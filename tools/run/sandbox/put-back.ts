/**
 * What could not be held while a command ran: links, and protected places that take effect only once somebody looks at
 * them. Nothing is lost: what the command put there gets another name.
 */

import {readFileSync, readlinkSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {textOf} from '../../containment/guarded.ts';
import {setAside} from '../../containment/set-aside.ts';
import {protectedIn} from './workspace.ts';

/** Puts back what has changed, and says so: a line each, without an end. Never throws. */
export type PutBack = () => readonly string[];

/** For a trial: what others do meanwhile is theirs. */
export const nothing: PutBack = () => [];

/** `held`: what can't be changed by the command, so that whoever did was somebody else. */
export function notePlaces(
  workspace: string,
  links: readonly string[],
  held: readonly string[],
): PutBack {
  const before = new Set([...protectedIn(workspace), ...held]);
  const targets = links.map((path) => ({path, target: linkAt(path)}));
  const head = join(workspace, '.git/HEAD');
  const headText = textOf(head);
  return () => [
    ...targets.flatMap(({path, target}) => restoreLink(workspace, path, target)),
    ...protectedIn(workspace)
      .filter((path) => !before.has(path))
      .flatMap((path) => setAside(workspace, path, 'is protected: only a person may make it')),
    ...(headText !== '' && !isHead(head) ? [lostHead] : []),
  ];
}

const lostHead =
  '.git/HEAD names no branch and no commit any more: until it does, git may obey other folders';

function isHead(path: string): boolean {
  const result = attempt(path, () => readFileSync(path, 'latin1'));
  return result.ok && /^(?:ref: refs\/|[0-9a-f]{40})/.test(result.value);
}

function restoreLink(workspace: string, path: string, target: string | undefined): string[] {
  if (target === undefined || linkAt(path) === target) return [];
  const told = setAside(workspace, path, 'was a link, and is one again');
  return attempt(path, () => symlinkSync(target, path)).ok ? told : [];
}

function linkAt(path: string): string | undefined {
  const read = attempt(path, () => readlinkSync(path));
  return read.ok ? read.value : undefined;
}
