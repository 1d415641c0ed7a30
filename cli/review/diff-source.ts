/** Reads the diff of a review: from a file, standard input, or the working tree against a revision. */

import {existsSync, lstatSync, readFileSync, readlinkSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {FileDiff, Hunk} from '../../machines/domain/patch.ts';
import {isLockFile} from '../../machines/forms/review/parts.ts';
import {type Message, t} from '../../machines/message.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {isBelow, realPathOf, smallFileText} from '../../tools/containment/guarded.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {runGit, withoutFilters} from '../../tools/machine/git.ts';
import {readPatch} from '../../tools/text/patch.ts';
import {resolveLoaded, routerOf} from '../config/in-effect.ts';
import {loadConfig} from '../config/load.ts';
import type {Parsed} from '../line/command.ts';
import {isGiven, readBytes} from '../line/standard-input.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import type {Environment, Input} from '../terminal.ts';

const maxBytes = 33_554_432;

interface DiffWanted {
  /** `--diff`; `-` is standard input. */
  readonly file?: string | undefined;
  /** `--base`. */
  readonly base?: string | undefined;
  /** Absolute: the folder to work in. */
  readonly cwd: string;
}

/** Rejects with AppError `usage` when there is no readable diff. */
export async function readDiff(
  {file, base, cwd}: DiffWanted,
  stdin: Input,
): Promise<readonly FileDiff[]> {
  if (file !== undefined && base !== undefined) {
    throw usageError(t`a review has one diff: name it with --diff or with --base`);
  }
  if (base !== undefined) {
    return await diffAgainst(base, cwd);
  }
  if (file !== undefined && file !== '-') return await readPatch(readDiffFile(resolve(cwd, file)));
  if (file === undefined && !isGiven(stdin)) throw noDiff;
  const bytes = await readBytes(stdin, t`the diff on standard input`, maxBytes);
  return await readPatch(toText(bytes));
}

const noDiff = usageError(
  t`there is no diff; write: git diff main | quorate review, quorate review --diff FILE, or quorate review --base REV`,
);

function readDiffFile(path: string): string {
  try {
    return toText(readFileSync(openable(path)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(t`the diff ${oneLine(path)} can't be read: ${oneLine(why)}`);
  }
}

/** Files in other encodings are accepted: bytes that are not UTF-8 become U+FFFD. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

// The diff of a git working tree against a revision, including untracked files.

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

// Adds surrounding lines from the working tree to hunks, so that models do not judge them alone.

/** Lines above and below a hunk. */
const maxLines = 20;
/** UTF-16 units of all added lines. */
const maxAdded = 20_000;
/** Fewer equal lines do not prove that the hunk fits the file. */
const leastSame = 3;

/**
 * The diff with up to 20 more lines around each hunk. A file stays unchanged when one of its hunks does not fit the file in
 * the working tree, when its path contains a link, and when it is large or may hold credentials.
 */
export function withSurroundings(diff: readonly FileDiff[], cwd: string): readonly FileDiff[] {
  const roots = [cwd, topOf(cwd)].flatMap((folder) => realPathOf(folder) ?? []);
  let left = maxAdded;
  return diff.map((file) => {
    const widened = widenedFile(file, roots);
    const cost = sizeOf(widened) - sizeOf(file.hunks);
    if (cost > left) return file;
    left -= cost;
    return {...file, hunks: widened};
  });
}

/** The nearest ancestor folder with a `.git`, or the folder itself. */
function topOf(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
  }
  return folder;
}

function widenedFile(file: FileDiff, roots: readonly string[]): readonly Hunk[] {
  const {path, did, hunks} = file;
  const isLeft = did === 'added' || did === 'deleted' || isLockFile(path);
  if (isLeft || isCredentialPlace(path)) return hunks;
  const lines = roots
    .map((root) => linesIn(root, path))
    .find((one) => one !== undefined && fits(hunks, one));
  return lines ? hunks.map((_, at) => widenedHunk(hunks, at, lines)) : hunks;
}

function linesIn(root: string, path: string): readonly string[] | undefined {
  const place = join(root, path);
  if (!isBelow(root, place) || realPathOf(place) !== place) return undefined;
  const text = smallFileText(place);
  if (text === '' || text.includes('\0')) return undefined;
  return text.replace(/\n$/, '').split('\n').map(withoutReturn);
}

function fits(hunks: readonly Hunk[], lines: readonly string[]): boolean {
  const newTexts = hunks.map(newLines);
  const isSame = hunks.every(({newStart}, at) =>
    newTexts[at]?.every((text, index) => lines[newStart - 1 + index] === text),
  );
  return isSame && newTexts.every(({length}) => length > 0) && newTexts.flat().length >= leastSame;
}

function newLines({lines}: Hunk): readonly string[] {
  return lines.filter((line) => /^[ +]/.test(line)).map((line) => withoutReturn(line.slice(1)));
}

/** Lines between two hunks go to the upper one first, and to one hunk only. */
function widenedHunk(hunks: readonly Hunk[], at: number, lines: readonly string[]): Hunk {
  const [hunk, before, next] = [hunks[at], hunks[at - 1], hunks[at + 1]];
  if (!hunk) throw new Error(`there is no hunk ${at}`);
  const first = hunk.newStart - 1;
  const taken = before ? Math.min(hunkEnd(before) + maxLines, first) : 0;
  const above = lines.slice(Math.max(taken, first - maxLines), first);
  const end = hunkEnd(hunk);
  const below = lines.slice(end, Math.min(end + maxLines, next ? next.newStart - 1 : Infinity));
  return {
    oldStart: hunk.oldStart - above.length,
    newStart: hunk.newStart - above.length,
    lines: [...above.map(asContext), ...hunk.lines, ...below.map(asContext)],
  };
}

/** Index of the line below the hunk. */
function hunkEnd(hunk: Hunk): number {
  return hunk.newStart - 1 + newLines(hunk).length;
}

function asContext(text: string): string {
  return ` ${text}`;
}

function withoutReturn(line: string): string {
  return line.replace(/\r$/, '');
}

function sizeOf(hunks: readonly Hunk[]): number {
  return hunks.flatMap(({lines}) => lines).reduce((sum, {length}) => sum + length + 1, 0);
}

// Requires a model that reads the diff: policies alone may approve only on request.

const remedy =
  'set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with -m review=NAME (quorate help models); ' +
  'for the policy reviewers alone: quorate review --scope fast';

/** Rejects with AppError `credentials` if only policy reviewers would vote and no flag or setting asks for that. */
export async function requireReader(
  {overrides}: Pick<Parsed, 'overrides'>,
  cwd: string,
  env: Environment,
): Promise<void> {
  const loaded = await loadConfig({cwd, env, overrides});
  const asked = loaded.config.agent;
  const isFast = asked.phase_scope === 'fast';
  const isByRule = asked.review_models.every((name) => name.startsWith('policy/'));
  if (isFast || isByRule) return;
  const found = resolveLoaded(loaded, routerOf(loaded, env), 'review');
  // A configuration that can't be used is reported when the run starts.
  if (!found.ok || found.resolved.settings.panel.some(({kind}) => kind === 'model')) return;
  throw new AppError('credentials', `no model can review the diff; ${remedy}`);
}
