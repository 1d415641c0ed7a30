/** Programs that test, check and format Python. */

import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {wordOf} from '../word.ts';
import {valuesOf} from './given.ts';
import {pythonOf} from './python.ts';
import {act, after, has, runsFiles, withActs, withUnknown} from './refine.ts';

export const pythonCheckers: Refinements = {
  pytestFiles: (reading, _call, given) => {
    const reports = valuesOf(given, '--cov-report').filter(({text}) => text.includes(':'));
    const plugin = valuesOf(given, '-p').find(({text}) => !text.startsWith('no:'));
    const list = given.operands.find(({text}) => text.startsWith('@'));
    const result = withActs(
      reading,
      ...reports.map((word) => act('writes-tree', after(word, word.text.indexOf(':') + 1))),
    );
    const odd = plugin ?? list;
    return odd
      ? withUnknown(result, odd.text, 'loads the code that it names')
      : runsFiles(result, given.operands);
  },
  coverageRun: covered,
  ruffFixes: (reading, _call, given) =>
    has(given, '--fix --fix-only --add-noqa') && given.operands.length === 0
      ? withActs(reading, act('edits-tree', '.'))
      : reading,
  // The folder contains a configuration, which is code.
  codeOfFirst: (reading, _call, {operands: [source]}) =>
    source ? withActs(reading, act('code', source)) : reading,
};

/** `coverage run -m pytest ARGS`, `coverage run FILE ARGS`. */
function covered(reading: Reading, call: Invocation, given: Arguments): Reading {
  const [module] = valuesOf(given, '-m --module');
  const inner = pythonOf(module ? [wordOf('-m'), module, ...given.operands] : given.operands, call);
  const isTest = inner.isTest ?? reading.isTest;
  return {
    acts: [...reading.acts, ...inner.acts],
    unknown: [...reading.unknown, ...inner.unknown],
    ...(isTest ? {isTest} : {}),
  };
}
