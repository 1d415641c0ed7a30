/** Subcommands of git that only look. */

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
    const result = rest(reading, call, given);
    const isAll = named <= 0 && has(given, '--untracked');
    return isAll ? withActs(result, act('reads-tree', '.')) : result;
  },
};

/**
 * A word of a revision is not a place, except for a path in it: `HEAD:.env`, `:0:.env`. Magic pathspecs (`:(exclude)a`, `:!a`)
 * exclude places, or select them in other ways: the text after the magic is a place.
 */
function pathOfRevision(read: Act): readonly Act[] {
  if (read.role !== 'reads-tree' && read.role !== 'reads') return [read];
  const {text} = read.word;
  const magic = /^:(?:\([^)]*\)|[!^/]+|[0-3]:)?/.exec(text);
  if (magic) return text === magic[0] ? [] : [{...read, word: after(read.word, magic[0].length)}];
  const colon = text.indexOf(':');
  return colon < 0 ? [read] : [{...read, word: after(read.word, colon + 1)}];
}
