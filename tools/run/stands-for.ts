/** What a command stands for at the moment: the scripts that it runs, and what it must be kept from. */

import {hash} from 'node:crypto';
import {relative, resolve} from 'node:path';

import {createSurroundings} from '../commands/surroundings-of.ts';
import type {Followed} from '../commands/understanding.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';

export interface StandsFor {
  /** SHA-256 over the scripts that it runs; undefined where it runs none. */
  readonly digest: string | undefined;
  /** Nothing of it may change git's data: it is not understood, or runs code of the workspace or of packages. */
  readonly holdsGit: boolean;
  /** It is not understood: nobody knows what it reads. */
  readonly hidesCredentials: boolean;
  /** The scripts, for those who judge it. */
  readonly shown: readonly string[];
}

const maxShown = 12_000;

/**
 * `folder`: relative to the workspace, where it starts. `written`: files that the run has written, by paths as calls name them.
 * Never rejects.
 */
export async function standsFor(
  command: string,
  workspace: string,
  folder: string,
  written: readonly string[] = [],
): Promise<StandsFor> {
  const {understand} = await import('../commands/understand.ts');
  const surroundings = createSurroundings(workspace);
  // Whoever wrote them: what is allowed and what runs must come out the same.
  const {effects, unknown, followed} = await understand(command, {
    surroundings,
    folder,
    written: [],
  });
  const own = written.map((path) => relative(workspace, resolve(workspace, path)));
  const runsCode = effects.some(({kind}) => kind === 'runs' || kind === 'installs');
  return {
    digest: digestOf(followed),
    holdsGit: unknown.length > 0 || runsCode,
    hidesCredentials: unknown.length > 0,
    shown: shownOf(followed, own),
  };
}

/** Over the scripts alone: the rest of a manifest may change. */
function digestOf(followed: readonly Followed[]): string | undefined {
  if (followed.length === 0) return undefined;
  const scripts = followed.map(({name, text, hash: whole}) => [name, isCut(text) ? whole : text]);
  return hash('sha256', JSON.stringify(scripts));
}

/** As `Followed.text` has it. */
function isCut(text: string): boolean {
  return text.length >= 20_000;
}

function shownOf(followed: readonly Followed[], written: readonly string[]): readonly string[] {
  let room = maxShown;
  return followed.flatMap(({name, hash: whole, text}) => {
    const part = text.slice(0, room).toWellFormed();
    room -= part.length;
    const cut =
      part.length < text.length ? [`  [cut: ${text.length - part.length} more characters]`] : [];
    const lines = escapeForTerminal(part.trimEnd())
      .split('\n')
      .map((line) => `  ${line}`);
    const isOwn = written.some((path) => name === path || name.startsWith(`${path}: `));
    const author = isOwn ? ' that was written in this run,' : '';
    const file = `a file${author} with the SHA-256 ${whole}`;
    return [`it runs ${escapeLine(name)}, of ${file}:`, ...lines, ...cut];
  });
}
