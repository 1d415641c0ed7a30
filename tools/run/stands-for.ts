/** What a command stands for at the moment: the scripts and files of code that it runs, and what it must be kept from. */

import {hash} from 'node:crypto';
import {relative, resolve} from 'node:path';

import {type Effect, knownToGit} from '../commands/effect.ts';
import {createSurroundings} from '../commands/surroundings-of.ts';
import type {Followed} from '../commands/understanding.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';
import {readInside, sha256} from '../read/read.ts';

export interface StandsFor {
  /** SHA-256 over the scripts and the files of code that it runs; undefined where it runs none. */
  readonly digest: string | undefined;
  /** Nothing of it may change git's data: it is not understood, or runs code of the workspace or of packages. */
  readonly holdsGit: boolean;
  /** It is not understood, or runs a file that git does not know: nobody can tell what it reads. */
  readonly hidesCredentials: boolean;
  /** The scripts, and the files by their hashes, for those who judge it. */
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
  const code = codeIn(effects, workspace);
  return {
    digest: digestOf(followed, code),
    holdsGit: unknown.length > 0 || runsCode,
    hidesCredentials: unknown.length > 0 || effects.some(isOfUnknownCode),
    shown: [
      ...shownOf(followed, own),
      ...code.map(
        ({path, held}) => `it runs ${escapeLine(path)}, a file${authorOf(path, own)} ${held}`,
      ),
    ],
  };
}

/** Looked at by nobody, as far as git can tell: this run may have written it. */
function isOfUnknownCode({kind, place}: Effect): boolean {
  return (
    kind === 'runs' && place !== undefined && place.path !== '' && !knownToGit.has(place.state)
  );
}

interface Code {
  readonly path: string;
  /** What the file holds, in words that follow its name. */
  readonly held: string;
}

const maxFiles = 100;

/** Files that a program of another language is to run: `node a.js`. What these load is not looked for. */
function codeIn(effects: readonly Effect[], workspace: string): readonly Code[] {
  const files = effects.flatMap(({kind, place, wide}) =>
    kind === 'runs' && place?.inside && !place.isFolder && !wide ? [place.path] : [],
  );
  return [...new Set(files)].slice(0, maxFiles).map((path) => {
    const file = readInside(workspace, path);
    const held = file.ok
      ? `with the SHA-256 ${sha256(file.value.bytes)}`
      : `that can't be read: ${file.denial.code}`;
    return {path, held};
  });
}

/** Over the scripts alone, where they stand in a manifest: the rest of it may change. */
function digestOf(followed: readonly Followed[], code: readonly Code[]): string | undefined {
  if (followed.length === 0 && code.length === 0) return undefined;
  const scripts = followed.map(({name, text, hash: whole}) => [name, isCut(text) ? whole : text]);
  const files = code.map(({path, held}) => [path, held]);
  return hash('sha256', JSON.stringify([...scripts, ...files]));
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
    const file = `a file${authorOf(name, written)} with the SHA-256 ${whole}`;
    return [`it runs ${escapeLine(name)}, of ${file}:`, ...lines, ...cut];
  });
}

function authorOf(name: string, written: readonly string[]): string {
  const isOwn = written.some((path) => name === path || name.startsWith(`${path}: `));
  return isOwn ? ' that was written in this run,' : '';
}
