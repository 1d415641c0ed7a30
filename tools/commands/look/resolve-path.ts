/** Resolves a path as the operating system does: link by link; `..` is the parent of a link's target. */

import type {Stats} from 'node:fs';

import type {Look} from './look.ts';

const maxLinks = 40;
const maxLength = 4_096;

export interface Resolved {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Undefined: nothing is there. */
  readonly stat: Stats | undefined;
  /** Absolute: the links that were followed. */
  readonly links: readonly string[];
}

/** `path` is absolute. `isLinkItself`: its last name is not followed. Undefined: unknown. */
export function resolvePath(look: Look, path: string, isLinkItself = false): Resolved | undefined {
  if (path.length > maxLength || path.includes('\0')) return undefined;
  try {
    return walk(look, namesOf(path), isLinkItself);
  } catch {
    return undefined;
  }
}

function walk(
  {statOf, linkAt}: Look,
  names: readonly string[],
  isLinkItself: boolean,
): Resolved | undefined {
  const todo = names.toReversed();
  let at: readonly string[] = [];
  const links: string[] = [];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const here = name === '..' ? at.slice(0, -1) : [...at, name];
    const isKept = name === '..' || (isLinkItself && todo.length === 0);
    if (isKept || !statOf(pathOf(here))?.isSymbolicLink()) {
      at = here;
      continue;
    }
    links.push(pathOf(here));
    if (links.length > maxLinks) return undefined;
    const target = linkAt(pathOf(here));
    if (target.startsWith('/')) at = [];
    todo.push(...namesOf(target).toReversed());
  }
  return {path: pathOf(at), stat: statOf(pathOf(at)), links};
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function pathOf(names: readonly string[]): string {
  return `/${names.join('/')}`;
}
