/** Files in the starting folder of a program that take precedence over the modules of its language. */

import type {Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import type {Worker} from './place-acts.ts';
import {loadCode} from './run-code.ts';

/** `word`: module names separated by blanks. A file with such a name is code that runs. */
export async function loadShadows(shell: Shell, word: Word, worker: Worker): Promise<void> {
  const {ledger, places} = shell;
  const found = await places.matches('*', worker.folder, {isKept: true});
  if (found === undefined || found === 'many') {
    return ledger.miss({word: worker.name, why: 'may load a module from the folder it starts in'});
  }
  const names = new Set(word.text.split(' '));
  for (const path of found) {
    const file = path.slice(path.lastIndexOf('/') + 1);
    const [name = '', ...endings] = file.split('.');
    if (!names.has(name) || !isModule(endings)) continue;
    const loaded = endings.length === 0 ? `${file}/__init__.py` : file;
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    await loadCode(shell, {text: loaded, known: true, pattern: false, quoted: true}, worker);
  }
}

/** A folder, `json.py`, `json.cpython-314-x86_64-linux-gnu.so`. */
function isModule(endings: readonly string[]): boolean {
  return endings.length === 0 || /^(?:py|pyc|pyo|pyw|so|pyd)$/.test(endings.at(-1) ?? '');
}
