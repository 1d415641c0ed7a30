/** The diff of a git working tree against a revision, including untracked files. */

import {lstatSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {FileDiff} from '../../machines/domain/patch.ts';
import {type Message, t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {runGit, withoutFilters} from '../../tools/machine/git.ts';
import {readPatch} from '../../tools/text/patch.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';

const maxDiffBytes = 33_554_432;
/** Of an untracked file: a larger one is reported as binary. */
const maxFileBytes = 1_048_576;

/**
 * Paths are relative to the top of the repository. Rejects with AppError `usage` when the folder is not in a repository, or
 * the revision does not exist.
 */
export async function diffAgainst(revision: string, cwd: string): Promise<readonly FileDiff[]> {
  const top = (await git(['rev-parse', '--show-toplevel'], cwd)).replace(/\n$/, '');
  const commit = await git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    top,
    {
      instead: t`git knows no revision "${oneLine(revision, 200)}" here`,
    },
  );
  const env = await withoutFilters(top, {maxBytes: maxDiffBytes});
  if (!env) throw usageError(t`git can't read its configuration in ${top}`);
  const known = await readPatch(await git([...diffArgs, commit.trim(), '--'], top, {env}));
  const others = await git(['ls-files', '--others', '--exclude-standard', '-z'], top);
  const unknown = others.split('\0').filter((path) => path !== '');
  return [...known, ...unknown.map((path) => addedFile(top, path))];
}

/** Disables everything that a configuration of the repository could run or change. */
const diffArgs = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--no-color',
  '--find-renames',
  '--unified=5',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

interface Call {
  readonly env?: Readonly<Record<string, string>>;
  /** The error message when it fails. */
  readonly instead?: Message;
}

async function git(
  args: readonly string[],
  cwd: string,
  {env = {}, instead}: Call = {},
): Promise<string> {
  const output = await runGit(args, cwd, {env, maxBytes: maxDiffBytes});
  if (output.ok) return output.text;
  if (output.isMissing) {
    throw usageError(t`git is not installed; give the diff with --diff`);
  }
  const {why} = output;
  const said = `git: ${oneLine(why || `it failed in ${cwd}`, 300)}`;
  throw new AppError('usage', instead ?? said);
}

function addedFile(top: string, path: string): FileDiff {
  const place = join(top, path);
  const stat = lstatSync(place);
  if (stat.isSymbolicLink()) {
    return added(path, readlinkSync(place), '120000');
  }
  const isExecutable = (stat.mode & 0o100) !== 0;
  if (stat.size > maxFileBytes) return {path, did: 'added', isBinary: true, hunks: []};
  const bytes = readFileSync(openable(place));
  if (bytes.includes(0)) return {path, did: 'added', isBinary: true, hunks: []};
  return added(path, bytes.toString('utf8'), isExecutable ? '100755' : undefined);
}

function added(path: string, text: string, mode: string | undefined): FileDiff {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return {
    path,
    did: 'added',
    ...(mode === undefined ? {} : {mode}),
    hunks:
      lines.length === 0
        ? []
        : [{oldStart: 0, newStart: 1, lines: lines.map((line) => `+${line}`)}],
  };
}
