/** Parses a unified diff, of git or of diff. */

import type {StructuredPatch} from 'diff';

import {AppError} from '../../machines/domain/app-error.ts';
import type {FileDiff, Hunk} from '../../machines/domain/patch.ts';

type ParsedFile = StructuredPatch;

/**
 * The files of a diff in order; none for an empty one. Rejects with AppError `usage` when it is not a unified diff, is truncated,
 * or contains something that is not understood: no part is left out silently.
 */
export async function readPatch(text: string): Promise<FileDiff[]> {
  if (text.trim() === '') return [];
  if (/^@@@+ /m.test(text)) {
    throw malformed('it is the combined diff of a merge; compare two revisions instead');
  }
  const plain = text
    .replaceAll(/^GIT binary patch$/gm, 'Binary files differ')
    .replace(/\n-- ?\n\d+\.\d[^\n]*\s*$/, '\n');
  const files = (await parse(plain)).filter((file) => !isNothing(file));
  const hunks = files.reduce((count, file) => count + file.hunks.length, 0);
  if (files.length === 0) throw malformed(whyEmpty(text));
  if (hunks !== (plain.match(/^@@ -/gm) ?? []).length) {
    throw malformed('some of its hunks belong to no file');
  }
  return files.map(toFile);
}

async function parse(text: string): Promise<ParsedFile[]> {
  const {parsePatch} = await import('diff');
  try {
    return parsePatch(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

function malformed(why: string): AppError {
  return new AppError('usage', `this is not a diff that can be reviewed: ${why}`);
}

function whyEmpty(text: string): string {
  return text.includes('\u001b[') ? 'it is coloured; write it with --no-color' : 'it names no file';
}

/** Text before the first file, such as a commit's message. */
function isNothing({oldFileName, newFileName, hunks}: ParsedFile): boolean {
  return oldFileName === undefined && newFileName === undefined && hunks.length === 0;
}

const nowhere = '/dev/null';

function toFile(file: ParsedFile): FileDiff {
  const [before, after] = namesOf(file);
  const path = after === nowhere ? before : after;
  if (path === undefined || path === nowhere) throw malformed('a hunk names no file');
  const did = actionOf(file, before, after);
  const isMoved = did === 'renamed' || did === 'copied';
  return {
    path,
    did,
    ...(isMoved && before !== undefined ? {from: before} : {}),
    ...modeOf(file, did),
    ...(isOpaque(file) ? {isBinary: true} : {}),
    hunks: file.hunks.map(toHunk),
  };
}

/** A change that is shown neither by hunks nor as a move, a change of permissions, or an empty file made or deleted. */
function isOpaque(file: ParsedFile): boolean {
  if (file.isBinary === true) return true;
  const isExplained =
    file.isRename === true ||
    file.isCopy === true ||
    file.isCreate === true ||
    file.isDelete === true ||
    file.newMode !== undefined;
  return file.hunks.length === 0 && !isExplained;
}

function modeOf({oldMode, newMode}: ParsedFile, did: FileDiff['did']): {mode: string} | undefined {
  if (newMode === undefined || newMode === oldMode) return undefined;
  return did === 'added' && newMode === '100644' ? undefined : {mode: newMode};
}

function actionOf(
  file: ParsedFile,
  before: string | undefined,
  after: string | undefined,
): FileDiff['did'] {
  if (file.isRename === true) return 'renamed';
  if (file.isCopy === true) return 'copied';
  if (file.isCreate === true || before === nowhere) return 'added';
  return file.isDelete === true || after === nowhere ? 'deleted' : 'modified';
}

/** Prefixes of the two sides, including those of git's `diff.mnemonicPrefix`. */
const sides = [
  ['a/', 'b/'],
  ['i/', 'w/'],
  ['c/', 'w/'],
  ['c/', 'i/'],
  ['o/', 'w/'],
] as const;

function namesOf({
  oldFileName,
  newFileName,
}: ParsedFile): readonly [string | undefined, string | undefined] {
  const pair = sides.find(([old, now]) => hasSide(oldFileName, old) && hasSide(newFileName, now));
  return [strippedName(oldFileName, pair?.[0]), strippedName(newFileName, pair?.[1])];
}

function hasSide(name: string | undefined, prefix: string): boolean {
  return name === undefined || name === nowhere || name.startsWith(prefix);
}

/** GNU diff appends a time to the name. */
function strippedName(name: string | undefined, prefix = ''): string | undefined {
  if (name === undefined || name === nowhere) return name;
  return name.slice(prefix.length).replace(/\t.*$/s, '').replace(/\r$/, '');
}

function toHunk({oldStart, newStart, lines}: ParsedFile['hunks'][number]): Hunk {
  return {oldStart, newStart, lines: lines.map((line) => line.replace(/\r$/, ''))};
}
