/** What of git only looks. */

import type {Act, Refinements} from '../program.ts';
import {act, after, eachAct, has, onlyWith, withActs} from './refine.ts';

const rest = eachAct(pathOfRevision);

const toOutput = onlyWith('--stdout', 'writes a file for each commit');

export const gitLook: Refinements = {
  looksAtRest: rest,
  lineRanges: (reading, call, given) => {
    const lines = given.options.filter(({name}) => name === '-L').map(({value}) => value);
    const files = lines.flatMap((word) =>
      word ? [act('reads', after(word, word.text.lastIndexOf(':') + 1))] : [],
    );
    const shown = rest(reading, call, given);
    return {...shown, acts: [...shown.acts, ...files]};
  },
  diffToOutput: (reading, call, given) => toOutput(rest(reading, call, given), call, given),
  grepsUntracked: (reading, call, given) => {
    const named = given.operands.length - (has(given, '-e -f') ? 0 : 1);
    const told = rest(reading, call, given);
    const isAll = named <= 0 && has(given, '--untracked');
    return isAll ? withActs(told, act('reads-tree', '.')) : told;
  },
};

/**
 * A word of a revision is no place, but for the path in it: `HEAD:.env`, `:0:.env`. Magic of pathspecs (`:(exclude)a`, `:!a`)
 * names places that are left out, or places by other means: what follows it is one.
 */
function pathOfRevision(read: Act): readonly Act[] {
  if (read.role !== 'reads-tree' && read.role !== 'reads') return [read];
  const {text} = read.word;
  const magic = /^:(?:\([^)]*\)|[!^/]+|[0-3]:)?/.exec(text);
  if (magic) return text === magic[0] ? [] : [{...read, word: after(read.word, magic[0].length)}];
  const colon = text.indexOf(':');
  return colon < 0 ? [read] : [{...read, word: after(read.word, colon + 1)}];
}
