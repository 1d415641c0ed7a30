/**
 * The paths of a workspace. Their text is checked first: it has no component outside. Then they are walked: reads follow links that stay
 * inside, writes refuse links.
 */

import {isAbsolute, join, posix, win32} from 'node:path';

import {escapeLine, firstUnsafe} from '../escape.ts';
import {Denied, failed, refused, type Attempt, type Denial} from './denial.ts';
import {LinkMet} from './folder.ts';

const maxNameBytes = 255;
const maxPathBytes = 4096;

/** Virtual file systems: never files of a workspace, even if the workspace is the root folder. /dev/shm contains plain files. */
const virtual = /^\/(proc|sys|dev(?!\/shm\/))(\/|$)/;

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The components of `path` below the workspace; none for the workspace itself. */
export function partsOf(
  workspace: string,
  path: string,
  windows = process.platform === 'win32',
): Attempt<readonly string[]> {
  const denial = textDenial(path);
  if (denial) return {ok: false, denial};
  const syntax = windows ? win32 : posix;
  const full = syntax.resolve(workspace, path);
  const below = syntax.relative(workspace, full);
  const isOutside = below.split(syntax.sep)[0] === '..' || syntax.isAbsolute(below);
  if (isOutside || (!windows && virtual.test(full))) {
    return {
      ok: false,
      denial: outsideDenial(path, syntax.isAbsolute(path) || isDrive(path, windows)),
    };
  }
  const parts = below.split(syntax.sep).filter((part) => part !== '');
  const bad = parts.map((part) => nameDenial(part, windows)).find(Boolean);
  return bad ? {ok: false, denial: bad} : {ok: true, value: parts};
}

function isDrive(path: string, windows: boolean): boolean {
  return windows && /^[a-z]:/i.test(path);
}

function textDenial(path: string): Denial | undefined {
  if (path.trim() === '') return refused('schema', 'path: is empty; name a file or folder');
  if (Buffer.byteLength(path) > maxPathBytes) {
    return refused('name_too_long', `the path has more than ${maxPathBytes} bytes`);
  }
  const unsafe = firstUnsafe(path);
  if (unsafe === undefined) return undefined;
  return refused(
    'path_characters',
    `the path ${escapeLine(path)} contains the invisible or control character ${unsafe}; leave it out`,
  );
}

function outsideDenial(path: string, absolute: boolean): Denial {
  const advice = 'use a path relative to the workspace';
  return absolute
    ? refused('path_absolute', `${path} lies outside the workspace; ${advice}`)
    : refused('path_escape', `${path} leads out of the workspace; ${advice}`);
}

function nameDenial(name: string, windows: boolean): Denial | undefined {
  if (Buffer.byteLength(name) > maxNameBytes) {
    return refused(
      'name_too_long',
      `the name ${name.slice(0, 40)}… has more than ${maxNameBytes} bytes`,
    );
  }
  const misread = name.includes(':') || /[. ]$/.test(name) || reservedOnWindows.test(name);
  if (!windows || !misread) return undefined;
  return refused(
    'path_characters',
    `Windows reads the name ${JSON.stringify(name)} as something else`,
  );
}

const maxLinks = 20;

/** Walks with `walk`, and again from the start with each link replaced by its target. */
export function followInside<T>(
  workspace: string,
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  let current = parts;
  for (let links = 0; links <= maxLinks; links += 1) {
    const step = stopAtLink(() => walk(current));
    if ('value' in step) return step.value;
    current = spliceLink(workspace, current, step.link);
  }
  throw new Denied(refused('symlink', `${parts.join('/')} is a link that leads in a circle`));
}

/** Walks with `walk`; a link on the way is refused. */
export function followNothing<T>(
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  const step = stopAtLink(() => walk(parts));
  if ('value' in step) return step.value;
  const link = parts.slice(0, step.link.index + 1).join('/');
  throw new Denied(
    refused(
      'symlink',
      `${link} is a link to ${step.link.target}; name the file itself to change it`,
    ),
  );
}

function stopAtLink<T>(walk: () => T): {readonly value: T} | {readonly link: LinkMet} {
  try {
    return {value: walk()};
  } catch (error) {
    if (error instanceof LinkMet) return {link: error};
    throw error;
  }
}

function spliceLink(workspace: string, parts: readonly string[], link: LinkMet): readonly string[] {
  const folder = parts.slice(0, link.index).join('/');
  const name = parts.slice(0, link.index + 1).join('/');
  const target = isAbsolute(link.target) ? link.target : join(folder, link.target);
  const inside = partsOf(workspace, target);
  if (inside.ok) return [...inside.value, ...parts.slice(link.index + 1)];
  const {code} = inside.denial;
  throw new Denied(
    code === 'path_escape' || code === 'path_absolute'
      ? refused('symlink', `${name} is a link that leads out of the workspace`)
      : failed('not_found', `${name} is a link to nothing that can be read`),
  );
}
