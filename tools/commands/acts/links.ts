/** Links that a command makes: a later access through the link reaches the link's target. */

import {posix} from 'node:path';

import type {Act} from '../program.ts';
import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import type {Worker} from './place-acts.ts';
import {absolute} from './places.ts';

/** Adds the effects on link targets outside the workspace. Inside it, a link is like any other file. */
export async function followLinks(
  shell: Shell,
  {word, into, leadsTo}: Act,
  {folder, name, by}: Worker,
): Promise<void> {
  if (!leadsTo) return;
  const start = leadsTo.isFromHere ? folder : await folderOfLinks(shell, word, into, folder);
  for (const {text, known, pattern} of leadsTo.words) {
    const whole = known && !pattern ? absolute(text, start) : undefined;
    if (whole === undefined) {
      shell.ledger.miss({word: text, why: `a computed place for ${name}`});
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- within one limit of time
    const place = await shell.places.look(whole, undefined, {isKept: true});
    if (!place.inside) {
      shell.ledger.add({kind: 'lists', target: place.path, place, isLink: true, by});
    }
  }
}

/** Absolute; undefined: not known. */
async function folderOfLinks(
  shell: Shell,
  {text}: Word,
  into: Act['into'],
  folder: string | undefined,
): Promise<string | undefined> {
  const path = absolute(text, folder);
  if (path === undefined || !into) return path && posix.dirname(path);
  const place = await shell.places.look(path, undefined, {isKept: true});
  const isFolder = place.isFolder || shell.places.makings.isFolder(place.path);
  return isFolder ? path : posix.dirname(path);
}
