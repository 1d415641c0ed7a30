/** The tools of Rust. */

import type {Act, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, after, has, withActs, withUnknown} from './refine.ts';

/** `-- --logfile FILE`: the test program writes there. */
function logsOf(operands: readonly Word[]): readonly Act[] {
  return operands.flatMap((word, at) => {
    const attached = word.text.startsWith('--logfile=')
      ? after(word, '--logfile='.length)
      : undefined;
    const given = word.text === '--logfile' ? operands[at + 1] : attached;
    return given ? [act('writes', given)] : [];
  });
}

export const rust: Refinements = {
  cargoTestLogs: (reading, _call, {operands}) => {
    const {acts, unknown} = reading;
    if (operands.some(({text}) => /^--(?:list|help)$/.test(text))) return {acts, unknown};
    return withActs(reading, ...logsOf(operands));
  },
  rustfixes: (reading, call, given) =>
    has(given, '--fix --broken-code --edition')
      ? withActs(reading, act('edits-tree', '.'))
      : reading,
  cargoFormats: (reading, _call, given) =>
    has(given, '--check') || given.operands.some(({text}) => text === '--check')
      ? reading
      : withActs(reading, act('edits-tree', '.')),
  compilesRust: (reading, _call, given) => {
    const [file] = given.operands;
    const odd =
      valuesOf(given, '--emit --print').find(({text}) => text.includes('=')) ??
      given.operands.find(({text}) => text.startsWith('@'));
    const made =
      file && !has(given, '-o --out-dir')
        ? [act('writes', {...file, text: file.text.replace(/^.*\/|\.rs$/g, '')})]
        : [];
    return odd
      ? withUnknown(reading, odd.text, 'contains options, or writes the file that it names')
      : withActs(reading, ...made);
  },
};
