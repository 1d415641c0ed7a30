/**
 * The depth of searches in suites. By default, enough for every state, transition and law; with QUORATE_TEST_DEPTH=deep, which
 * `npm run test:deep` sets for all suites that load this file, as deep as possible.
 */

export const isDeep = process.env['QUORATE_TEST_DEPTH'] === 'deep';

/** All elements in a deep search; otherwise the first of every `stride`. */
export function sampled<Each>(all: readonly Each[], stride: number): readonly Each[] {
  return all.filter((_, index) => isDeep || index % stride === 0);
}
