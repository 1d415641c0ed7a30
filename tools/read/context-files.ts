/**
 * The files in which the author of a repository describes it for agents: those of the workspace, and of the folders above it up
 * to the root of the repository.
 */

import {lstatSync, statSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import type {ContextFile} from '../../machines/prompts/sections.ts';
import {escapeForTerminal} from '../escape.ts';
import {clip} from './clip.ts';
import {decodedText, readInside} from './read.ts';

/** The first takes precedence over the others of its folder. */
const names = ['.quorate/context.md', 'AGENTS.md', 'CLAUDE.md'];

const maxFolders = 100;
const maxReadBytes = 2 * 1024 * 1024;
/** In bytes: a file with less room is left out, with a note. */
const leastRoom = 200;

/**
 * At most about `maxBytes` of text together, none for 0, in ascending order of precedence. The nearest files
 * are cut last. A file that can't be read has the reason as its text; a second name or a copy of a file is left out.
 * `workspace`: absolute, links resolved. Never throws for a file.
 */
export function readContextFiles(workspace: string, maxBytes: number): ContextFile[] {
  if (maxBytes === 0) return [];
  const folders = foldersToRoot(workspace);
  const root = folders.at(-1) ?? workspace;
  const found: ContextFile[] = [];
  const seen = new Set<string>();
  let left = maxBytes;
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    const read = readText(root, path);
    if (read === undefined || read.marks.some((mark) => seen.has(mark))) continue;
    for (const mark of read.marks) seen.add(mark);
    const text = fitted(read.text, left);
    left -= Buffer.byteLength(text);
    found.push({path: relative(workspace, path).split(sep).join('/'), text});
  }
  return found.toReversed();
}

/**
 * The workspace and the folders above it, up to the root of its repository; the workspace alone if it is in none. A root that
 * somebody else owns is none: on a shared machine, anybody could put one above a workspace.
 */
function foldersToRoot(workspace: string): readonly string[] {
  const owner = statSync(workspace, {throwIfNoEntry: false})?.uid;
  const folders: string[] = [];
  for (let folder = workspace; folders.length < maxFolders; folder = dirname(folder)) {
    folders.push(folder);
    const git = lstatSync(join(folder, '.git'), {throwIfNoEntry: false});
    if (git) return git.uid === owner ? folders : [workspace];
    if (folder === dirname(folder)) break;
  }
  return [workspace];
}

interface ReadText {
  readonly text: string;
  /** Shared with another name or a copy of the file. */
  readonly marks: readonly string[];
}

/** Undefined for a file that does not exist or is blank. */
function readText(root: string, path: string): ReadText | undefined {
  const name = relative(root, path);
  const file = readInside(root, name, {maxBytes: maxReadBytes});
  if (!file.ok && file.denial.code === 'not_found') return undefined;
  const place = file.ok ? file.value.path : name;
  if (isCredentialPlace(place) || isOfGit(place)) {
    return {marks: [place], text: '[not read: it leads to a file that may hold credentials]'};
  }
  const text = file.ok ? decodedText(file.value) : file;
  if (!text.ok) return {marks: [place], text: `[not read: ${text.denial.message}]`};
  const shown = shownText(text.value);
  return shown === '' ? undefined : {marks: [place, shown], text: shown};
}

/**
 * Invisible characters are spelled out: models are to follow these files, and a person who has read them did not see such
 * characters.
 */
function shownText(text: string): string {
  return escapeForTerminal(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')).trim();
}

function isOfGit(place: string): boolean {
  return place.toLowerCase().split(/[\\/]/).includes('.git');
}

function fitted(text: string, room: number): string {
  const bytes = Buffer.byteLength(text);
  return bytes > room && room < leastRoom
    ? `[left out, as there is no room: ${bytes} bytes]`
    : clip(text, room);
}
