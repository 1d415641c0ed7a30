/** Files that another interpreter runs. */

import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import {missChanged} from './miss-changed.ts';
import type {Worker} from './place-acts.ts';

/** What interpreters try where there is no such file. */
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js', '/__main__.py'];

/** A file that is not there runs nothing. */
export async function runCode(shell: Shell, word: Word, {by, folder}: Worker): Promise<void> {
  if (!word.known || word.pattern) {
    return shell.ledger.miss({word: word.text, why: 'a computed file to run'});
  }
  if (folder === undefined && !word.text.startsWith('/')) {
    return shell.ledger.miss({word: word.text, why: 'the folder it lies in is not known'});
  }
  const places = await Promise.all(
    endings.map(async (ending) => shell.places.look(word.text + ending, folder)),
  );
  if (places.some((place) => shell.places.makings.touches(place))) {
    return shell.ledger.miss({word: word.text, why: 'this command changes it before it runs'});
  }
  missChanged(shell, word.text);
  const there = places.filter(({state}) => state !== 'absent');
  for (const place of there) {
    if (place.inside) shell.ledger.add({kind: 'runs', target: place.path, place, by});
    else shell.ledger.miss({word: word.text, why: 'code outside the workspace'});
  }
}
