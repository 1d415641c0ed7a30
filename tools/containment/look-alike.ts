/** Names that people and models take for one another: they differ only in capitals, or in the encoding of their accents. */

import {readdirSync} from 'node:fs';

import {Denied, failed} from './denial.ts';
import type {Folder} from './folder.ts';

/** Throws `Denied` `not_found` when another name in the folder looks like this one, which does not exist. */
export function refuseLookAlike(folder: Folder, name: string, shown: string): void {
  const folded = foldName(name);
  const other = readdirSync(folder.self).find((each) => each !== name && foldName(each) === folded);
  if (other === undefined) return;
  const message = `${shown} does not exist, but ${inAscii(other)} does, which looks alike; name that one, or choose another name`;
  throw new Denied(failed('not_found', message));
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A JSON string in which composed and decomposed letters differ. */
function inAscii(name: string): string {
  return JSON.stringify(name).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
