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
  const starts = leadsTo.isFromHere ? [folder] : await foldersOfLinks(shell, word, into, folder);
  for (const {text, known, pattern} of leadsTo.words) {
    for (const start of starts) {
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
}

/** The folders in which the links may lie. Absolute; undefined: not known. */
async function foldersOfLinks(
  shell: Shell,
  {text}: Word,
  into: Act['into'],
  folder: string | undefined,
): Promise<readonly (string | undefined)[]> {
  const path = absolute(text, folder);
  if (path === undefined || !into) return [path && posix.dirname(path)];
  const place = await shell.places.look(path, undefined, {isKept: true});
  const isFolder = shell.places.makings.isFolder(place);
  return [...(isFolder === false ? [] : [path]), ...(isFolder ? [] : [posix.dirname(path)])];
}
