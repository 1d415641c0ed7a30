/**
 * What could not be held while a command ran: links, and protected places that take effect only once somebody looks at
 * them. Nothing is lost: what the command put there gets another name.
 */

import {readFileSync, readlinkSync, renameSync, symlinkSync} from 'node:fs';
import {join, relative} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {statsOf, textOf} from './guarded.ts';
import {repositoriesSince} from './made-repositories.ts';
import {protectedIn} from './workspace.ts';

/** Puts back what has changed, and says so: a line each, without an end. Never rejects. */
export type PutBack = () => Promise<readonly string[]>;

/** For a trial: what others do meanwhile is theirs. */
export const nothing: PutBack = async () => await Promise.resolve([]);

/** Clocks of file systems lag behind by so many ms. */
const lagMs = 50;

/** `held`: what can't be changed by the command, so that whoever did was somebody else. */
export function notePlaces(
  workspace: string,
  links: readonly string[],
  held: readonly string[],
): PutBack {
  const before = new Set([...protectedIn(workspace), ...held]);
  const targets = links.map((path) => ({path, target: linkAt(path)}));
  const since = Date.now() - lagMs;
  const head = join(workspace, '.git/HEAD');
  const headText = textOf(head);
  return async () => [
    ...targets.flatMap(({path, target}) => restoreLink(workspace, path, target)),
    ...protectedIn(workspace)
      .filter((path) => !before.has(path))
      .flatMap((path) => setAside(workspace, path, 'is protected: only a person may make it')),
    ...(headText !== '' && !isHead(head) ? [lostHead] : []),
    ...(await disarmRepositories(workspace, since)),
  ];
}

async function disarmRepositories(workspace: string, since: number): Promise<string[]> {
  const {marks, isPart} = await repositoriesSince(workspace, since);
  const told = marks.flatMap((path) =>
    setAside(
      workspace,
      path,
      'belongs to a repository that runs programs: only a person may make one',
    ),
  );
  return [...told, ...(isPart ? [notAll] : [])];
}

const notAll =
  'the workspace has more folders than are looked through for repositories that the command may have made';

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

const maxNames = 100;

function setAside(workspace: string, path: string, why: string): string[] {
  const shown = relative(workspace, path);
  if (statsOf(path) === undefined) return [`${shown} ${why}`];
  const free = Array.from(
    {length: maxNames},
    (_, at) => `${path}.not-allowed${at === 0 ? '' : at}`,
  );
  const other = free.find((name) => statsOf(name) === undefined);
  if (other === undefined || !attempt(path, () => renameSync(path, other)).ok) {
    return [`${shown} ${why}, and could not be put back`];
  }
  return [`${shown} ${why}; what the command put there is now ${relative(workspace, other)}`];
}
