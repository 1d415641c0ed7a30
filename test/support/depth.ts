/**
 * How far suites search. Usually as far as every state, transition and law needs; with QUORATE_TEST_DEPTH=deep, which
 * `npm run test:deep` sets for all suites that load this file, as far as they can.
 */

export const isDeep = process.env['QUORATE_TEST_DEPTH'] === 'deep';

/** All in a deep search; else the first of every `stride`. */
export function sampled<Each>(all: readonly Each[], stride: number): readonly Each[] {
  return all.filter((_, index) => isDeep || index % stride === 0);
}
