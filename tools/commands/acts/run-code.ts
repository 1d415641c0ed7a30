/** Files that another interpreter runs. */

import type {Place} from '../effect.ts';
import {runFileCode} from '../follow/follow-code.ts';
import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import {missChanged} from './miss-changed.ts';
import type {Worker} from './place-acts.ts';

/** Endings that interpreters try when the file does not exist. */
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js', '/__main__.py'];

/** A word with an ending or a path, or a name such as `Dockerfile`, is a file. Any other word may be a package. */
const file = /^\.{1,2}\/|^\/|\.\w+$|(?:^|\/)[A-Z]\w*file$/;

/** A missing file can't be judged unless it is a build's output; a package runs as it is installed. */
export async function runCode(shell: Shell, word: Word, worker: Worker): Promise<void> {
  const places = await loadCode(shell, word, worker);
  if (places && file.test(word.text) && !places.some(isMade))
    shell.ledger.miss({word: word.text, why: 'is not there'});
}

function isMade({state, isIgnored}: Place): boolean {
  return state !== 'absent' || isIgnored === true;
}

/** A missing file does not run. Resolves with the places where it may be; undefined: this can't be judged. */
export async function loadCode(
  shell: Shell,
  word: Word,
  worker: Worker,
): Promise<readonly Place[] | undefined> {
  const {folder} = worker;
  const miss = (why: string): undefined => {
    shell.ledger.miss({word: word.text, why});
  };
  if (!word.known || word.pattern) {
    return miss('a computed file to run');
  }
  if (folder === undefined && !word.text.startsWith('/')) {
    return miss('the folder it lies in is not known');
  }
  const places = await Promise.all(
    endings.map(async (ending) => shell.places.look(word.text + ending, folder)),
  );
  if (places.some((place) => shell.places.makings.touches(place))) {
    return miss('this command changes it before it runs');
  }
  missChanged(shell, word.text);
  const there = places.filter(({state}) => state !== 'absent');
  for (const place of there) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    if (place.inside) await runFileCode(shell, place, worker);
    else miss('code outside the workspace');
  }
  return places;
}
