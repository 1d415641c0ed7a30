/** Programs that run tests. The code that their configuration loads runs like the tests themselves. */

import type {Refinements} from '../program.ts';
import {valuesOf} from './given.ts';
import {has, runsFiles, withUnknown} from './refine.ts';

export const testRunners: Refinements = {
  vitestInit: (reading, _call, given) => {
    const isNew = given.operands[0]?.text === 'init';
    return isNew ? withUnknown(reading, 'vitest init', 'changes the configuration') : reading;
  },
  // Without the option they are patterns that select tests.
  jestByPath: (reading, _call, given) =>
    has(given, '--runTestsByPath') ? runsFiles(reading, given.operands) : reading,
  cypressSpecs: (reading, _call, given) =>
    runsFiles(reading, [...given.operands, ...valuesOf(given, '--spec')]),
  nycReport: (reading, _call, {operands}) => {
    const isReport = /^(?:report|check-coverage)$/.test(operands[0]?.text ?? '');
    return isReport
      ? {...reading, acts: reading.acts.filter(({role}) => role !== 'command')}
      : reading;
  },
};
