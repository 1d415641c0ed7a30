/** Subcommands of git that record, move between recorded versions, or discard. */

import type {Unknown} from '../effect.ts';
import type {Act, Arguments, Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {keepsBothSides} from './git-sides.ts';
import {act, eachAct, has, onlyWith, withActs, withUnknown} from './refine.ts';

const proceeding = '--continue --abort --quit';

export const gitRecord: Refinements = {
  boundedLogs: eachAct(bounded),
  checksOut,
  resets,
  keepsBothSides,
  patchOnlyLooked: onlyWith(
    '--check --stat --numstat --summary',
    'the changes of a patch are not looked at',
  ),
  patchSessionOnlyLooked: onlyWith(
    `${proceeding} --skip --show-current-patch`,
    'the changes of a patch are not looked at',
  ),
};

/** Git matches a wildcard in every folder by itself, even if the shell has found no match. */
function bounded(read: Act): readonly (Act | Unknown)[] {
  const isPlace = read.role === 'deletes' || read.role === 'deletes-tree';
  if (!isPlace || !/^:|[*?[\\]/.test(read.word.text)) return [read];
  return [{word: read.word.text, why: 'is matched by git in every folder'}];
}

/** `checkout BRANCH`, `checkout FILE`, `checkout BRANCH -- FILE`: only the file system distinguishes the first two. */
function checksOut(reading: Reading, {args}: Invocation, given: Arguments): Reading {
  const [first, ...more] = given.operands;
  if (has(given, '-b --orphan -d --detach'))
    return more.length > 0
      ? withUnknown(reading, 'checkout', 'has more operands than are known')
      : withActs(reading, switched);
  const end = args.findIndex(({text, known}) => known && text === '--');
  const paths = end < 0 ? more : args.slice(end + 1);
  const acts = paths.map((word) => act('discards', word));
  if (!first || end === 0) return withActs(reading, ...acts);
  const target = end > 0 ? switched : branchOrPlace(first);
  const result = withActs(reading, target, ...acts);
  const isLikeFile = target.role === 'restores' && /\/$|\.[a-z]\w{0,5}$/i.test(first.text);
  return isLikeFile ? withUnknown(result, first.text, 'may be a file by then') : result;
}

const switched = act('records', 'the branch that is checked out');

function branchOrPlace(word: Word): Act {
  if (/^(?:-|@\{-\d+\}|@|HEAD(?:[~^]\d*)*)$/.test(word.text)) return switched;
  return act(/^:|[*?[\\]/.test(word.text) ? 'discards' : 'restores', word);
}

/** `reset HEAD FILE`, `reset FILE` change the index; `reset COMMIT` removes commits from the branch. */
function resets(reading: Reading, {args}: Invocation, given: Arguments): Reading {
  const end = args.findIndex(({text, known}) => known && text === '--');
  const [first] = given.operands;
  // The index and the files stay as they are, and the reflog keeps the commits.
  if (has(given, '--soft') && !has(given, '--hard --merge --keep --mixed'))
    return {...reading, acts: [act('records', 'where the branch is')]};
  if (!first || end === 0 || /^(?:HEAD|@)$/.test(first.text)) return reading;
  if (/[~^]|@\{|^[\da-f]{7,40}$|^origin\//.test(first.text) || end > 0)
    return withActs(reading, act('discards', 'history'));
  return first.known && /(?:\/|\.[a-z]\w*|^\.)$/i.test(first.text)
    ? reading
    : withUnknown(reading, first.text, 'is a commit, or a place');
}
