/** Files with credentials that a command may read, and those closed to it, in texts for reviewers and models. */

import {basename, join, relative} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {type Attempt, refused} from '../containment/denial.ts';
import {isBelow, realPathOf, statsOf} from '../containment/guarded.ts';
import {partsOf} from '../containment/paths.ts';
import {escapeLine} from '../escape.ts';
import type {Narrow} from './sandbox/confiner.ts';

/** Absolute paths, links resolved. Refused for anything that is not a file with credentials in the workspace. */
export function filesToOpen(
  workspace: string,
  paths: readonly string[] = [],
): Attempt<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const file = fileToOpen(workspace, path);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return {ok: true, value: [...new Set(files)]};
}

function fileToOpen(workspace: string, path: string): Attempt<string> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  const real = realPathOf(join(workspace, ...parts.value));
  if (real === undefined) return denied('not_found', path, 'does not exist');
  if (!isBelow(workspace, real)) return denied('outside', path, 'leads out of the workspace');
  if (statsOf(real)?.isFile() !== true) return denied('not_a_file', path, 'is not a file');
  const names = [parts.value.join('/'), relative(workspace, real)];
  return names.some(isCredentialPlace)
    ? {ok: true, value: real}
    : denied('not_credentials', path, 'is open to commands already: leave it out');
}

function denied(code: string, path: string, why: string): Attempt<never> {
  return {ok: false, denial: refused(code, `credentials: ${escapeLine(path)} ${why}`)};
}

/** A line of the preview. */
export function openedText(workspace: string, opened: readonly string[]): string[] {
  if (opened.length === 0) return [];
  return [`opens to it, for this call: ${opened.map(nameIn(workspace)).join(', ')}`];
}

/** A line of the preview. */
export function closedText(workspace: string, closed: readonly string[]): string[] {
  return closed.length === 0 ? [] : [`closed to it: ${namesOf(workspace, closed)}`];
}

export interface Ended {
  readonly command: string;
  readonly printed: string;
  readonly exitCode: number | undefined;
  /** A person typed the command. */
  readonly isTyped?: true | undefined;
}

const wayOfPerson = 'to read them, run the command in a shell outside Quorate';
const wayOfModel = 'one that it needs must be named in the argument credentials';

/**
 * A line of the outcome, if it may explain the outcome: the command failed, names or prints the name of a closed file, or
 * its pattern matched nothing.
 */
export function closedNote(
  workspace: string,
  closed: readonly string[],
  {command, printed, exitCode, isTyped}: Ended,
): string[] {
  const isOfUse =
    exitCode !== 0 ||
    (printed === '' && /[*?]/.test(command)) ||
    closed.some((path) => isNamedIn(`${command}\n${printed}`, basename(path)));
  if (closed.length === 0 || !isOfUse) return [];
  return [
    `closed to this command, as they may hold credentials: ${namesOf(workspace, closed)}; ${isTyped ? wayOfPerson : wayOfModel}`,
  ];
}

/** Lines of the outcome, if they may explain it. */
export function narrowNote(
  workspace: string,
  {fixed, unread}: Narrow = {fixed: [], unread: []},
  printed: string,
): string[] {
  if (!/permission denied/i.test(printed)) return [];
  const [noChange, noReading] = [fixed, unread].map((folders) => namesOf(workspace, folders));
  return [
    ...(fixed.length > 0
      ? [
          `this command, whose effects are unknown, can make, rename and remove nothing directly in ${noChange}`,
        ]
      : []),
    ...(unread.length > 0
      ? [
          `this command can't read what it makes directly in ${noReading}, beside closed files; the next command can`,
        ]
      : []),
  ];
}

function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + name.length)}`;
    if (!/[\w.-]/.test(around)) return true;
  }
  return false;
}

const maxNamed = 5;

function namesOf(workspace: string, paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return `${paths.slice(0, maxNamed).map(nameIn(workspace)).join(', ')}${more}`;
}

function nameIn(workspace: string) {
  return (path: string): string => escapeLine(relative(workspace, path)) || '.';
}
