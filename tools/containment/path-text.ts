/** Checks the text of a path alone: splits it into components, and refuses a path outside the workspace. */

import {posix, win32} from 'node:path';

import {escapeLine, firstUnsafe} from '../escape.ts';
import {type Attempt, type Denial, refused} from './denial.ts';

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
