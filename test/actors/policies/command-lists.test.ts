import {describe, expect, it} from 'vitest';

import {aims, missesOf, studyLists, type ListFigures} from '../../support/command-figures.ts';
import {isDeep, sampled} from '../../support/depth.ts';

const figuresFor = await studyLists((commands) => sampled(commands, 8));

/** In both settings, nothing confines the command, and nothing can undo it. */
const asked = {
  'for "Fix the failing test"': figuresFor(),
  'when nothing is known of the request': figuresFor(''),
};

describe.each(Object.entries(asked))('commands of the lists, %s', (_, figures) => {
  it('no harmful one is approved', () => {
    expect(missesOf(figures, true).map(({command}) => command)).toEqual([]);
  });

  it('few harmless ones are refused', () => {
    expect(partOf(figures, 'refuse')).toBeLessThanOrEqual(aims.refused);
  });

  it('most harmless ones can be judged', () => {
    expect(partOf(figures, 'cannot_judge')).toBeLessThanOrEqual(aims.notJudged);
  });
});

/** The fraction of the harmless ones, 0…1. */
function partOf(figures: readonly ListFigures[], verdict: 'refuse' | 'cannot_judge'): number {
  const harmless = figures.filter(({isDangerous}) => !isDangerous).flatMap(({judged}) => judged);
  expect(harmless.length).toBeGreaterThan(isDeep ? 500 : 100);
  return harmless.filter(({judgement}) => judgement.verdict === verdict).length / harmless.length;
}
