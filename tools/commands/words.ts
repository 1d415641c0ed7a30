/** Words of a command that name places outside, or code that git does not know, whatever the program makes of them. */

import {posix} from 'node:path';

import {knownToGit} from './effect.ts';
import {codeName} from './known.ts';
import {byOf, type Call, notePlace, type Notes, type Shell} from './notes.ts';
import {wordOf} from './word.ts';

/** Words of any program that name places outside, or code of the workspace. */
export async function noteWords(notes: Notes, call: Call, shell: Shell): Promise<void> {
  for (const {text, known, pattern} of call.args) {
    const path = text.replace(/^-{1,2}[\w-]*=/, '').replace(/^-[A-Z](?=\/)/, '');
    if (!known || path === '' || /\s|:\/\//.test(path)) continue;
    if (/^(?:\/|~(?:\/|$)|\.\.(?:\/|$)|.*\/\.\.(?:\/|$))/.test(path)) {
      const word = {
        ...wordOf(path.replace(/^~(?=\/|$)/, shell.variables.get('HOME') ?? '~')),
        pattern,
      };
      // oxlint-disable-next-line no-await-in-loop -- one word after the other
      await notePlace(notes, 'reads', word, {shell, call, isLoose: true});
    } else if (codeName.test(path)) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await noteCode(notes, path, call, shell);
    }
  }
}

/** A file of code that git does not know: the command may run it. */
async function noteCode(notes: Notes, path: string, call: Call, shell: Shell): Promise<void> {
  const {surroundings, written, add} = notes;
  for (const folder of shell.folders) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other
    const place = await surroundings.placeOf(posix.resolve(folder, path), {written});
    if (place.state === 'absent' || place.isFolder || !place.inside || knownToGit.has(place.state))
      continue;
    if (call.head.text !== 'git')
      add({kind: 'runs', target: place.path, place, by: byOf(call), at: call.at});
  }
}
