/** Programs that search in files. */

import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has} from './refine.ts';

/** `grep -r` reads everything below; below `.` when no folder is named. */
function readGrep(reading: Reading, given: Arguments): Reading {
  if (!has(given, '-r -R --recursive --dereference-recursive')) return reading;
  const acts = reading.acts.map((each): Act =>
    each.role === 'reads' ? {...each, role: 'reads-tree'} : each,
  );
  const named = given.operands.length - (has(given, '-e --regexp -f --file') ? 0 : 1);
  const below = {...reading, acts: named > 0 ? acts : [...acts, act('reads-tree', '.')]};
  return withHidden(below, given);
}

/** The files it reads when only the expression is given. */
function readBelow(reading: Reading, given: Arguments): Reading {
  if (has(given, '--type-list --version -V')) return reading;
  const isNamed = has(given, '-e --regexp -f --file --files');
  const named = given.operands.length - (isNamed ? 0 : 1);
  const role = has(given, '--files') ? 'lists' : 'reads-tree';
  const acts = named > 0 ? reading.acts : [...reading.acts, act(role, '.')];
  return withHidden({...reading, acts}, given);
}

const unhiding =
  '-u --unrestricted --hidden -. --no-ignore --no-ignore-dot --no-ignore-files --no-ignore-vcs';

/** Files that are skipped by default, including credentials, are read when the options include them. */
function withHidden(reading: Reading, given: Arguments): Reading {
  const asks = valuesOf(given, '--include -G --file-search-regex').some(
    (word) => !word.known || /(?:^|\/)\\?\./.test(word.text),
  );
  const globs = valuesOf(given, '-g --glob --iglob').filter(mayUnhide);
  if (!asks && globs.length === 0 && !has(given, unhiding)) return reading;
  const isAll = asks || has(given, unhiding);
  const folders = isAll ? [''] : globs.map(({text}) => /^\/?([\w-]+\/)*/.exec(text)?.[0] ?? '');
  const hidden = reading.acts
    .filter(({role}) => role === 'reads-tree')
    .flatMap(({word}) => folders.map((folder) => act('reads', hiddenBelow(word, folder))));
  return {...reading, acts: [...reading.acts, ...hidden]};
}

/** The glob includes hidden or ignored files that it matches. A glob with an ending includes only files with that ending. */
function mayUnhide({text, known}: Word): boolean {
  if (!known) return true;
  const isEnding =
    /\.(?:\w+|\{\w+(?:,\w+)*\})$/.test(text) && !/env|pem|key|rc\b|(?:^|\/)\./i.test(text);
  return !text.startsWith('!') && !isEnding;
}

function hiddenBelow(word: Word, folder: string): Word {
  const text = `${word.text.replace(/\/+$/, '')}/${folder.replace(/^\//, '')}**/.*`;
  return {...word, text, pattern: true};
}

export const search: Refinements = {
  readGrep: (reading, _, given) => readGrep(reading, given),
  searchesBelow: (reading, _, given) =>
    has(given, '-h --help') ? reading : readBelow(reading, given),
  readBelow: (reading, _, given) => readBelow(reading, given),
};
