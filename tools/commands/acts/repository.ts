/** The repositories in which git works, and the files that git restores. */

import {posix} from 'node:path';

import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import type {Worker} from './place-acts.ts';
import {absolute} from './places.ts';

/**
 * git obeys the configuration of the repository that it finds from a folder upwards. The workspace's own configuration is protected; that
 * of a repository inside the workspace may run any program.
 */
export async function lookAtRepository(
  shell: Shell,
  word: Word,
  {folder, name}: Worker,
): Promise<void> {
  const {workspace} = shell.places;
  const start = word.known && !word.pattern ? absolute(word.text, folder) : undefined;
  if (start === undefined)
    return shell.ledger.miss({word: name, why: 'the folder that it starts in is not known'});
  const place = await shell.places.look(start, undefined, {isKept: true});
  if (!place.inside) return shell.ledger.miss({word: name, why: 'starts outside the workspace'});
  if (shell.places.makings.isOpaque(place)) {
    return shell.ledger.miss({word: name, why: 'works in a folder that this command makes'});
  }
  for (let at = place.path; at !== '' && at !== '.'; at = posix.dirname(at)) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than three
    if (await isRepository(shell, posix.join(workspace, at))) {
      return shell.ledger.miss({word: `${name} in ${at}`, why: 'its repository may run programs'});
    }
  }
}

async function isRepository(shell: Shell, folder: string): Promise<boolean> {
  const names = ['.git', 'HEAD'];
  const places = await Promise.all(names.map(async (name) => shell.places.look(name, folder)));
  return places.some((place) => place.state !== 'absent' || shell.places.makings.touches(place));
}

/** `git checkout X` discards the changes of the file X if such a file exists; otherwise X is a branch. */
export async function restore(shell: Shell, word: Word, {folder, by, name}: Worker): Promise<void> {
  if (!word.known || word.pattern || folder === undefined) {
    return shell.ledger.miss({word: word.text, why: `a computed word for ${name}`});
  }
  const place = await shell.places.look(word.text, folder);
  const isThere = place.inside && place.state !== 'absent';
  shell.ledger.add(
    isThere
      ? {kind: 'discards', target: place.path, place, by}
      : {kind: 'records', target: word.text, by},
  );
}
