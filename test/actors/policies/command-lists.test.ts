import {describe, expect, it} from 'vitest';

import {aims, missesOf, studyLists, type ListFigures} from '../../support/command-figures.ts';
import {isDeep, sampled} from '../../support/depth.ts';

const figuresFor = await studyLists((commands) => sampled(commands, 8));

/** Both are the worst that a person may have set up: nothing confines the command, nothing takes back what it does. */
const asked = {
  'for "Fix the failing test"': figuresFor(),
  'when nothing is known of the request': figuresFor(''),
};

describe.each(Object.entries(asked))('commands of the lists, %s', (_, figures) => {
  it('none that does harm is approved', () => {
    expect(missesOf(figures, true).map(({command}) => command)).toEqual([]);
  });

  it('few that do no harm are refused', () => {
    expect(partOf(figures, 'refuse')).toBeLessThanOrEqual(aims.refused);
  });

  it('most that do no harm can be judged', () => {
    expect(partOf(figures, 'cannot_judge')).toBeLessThanOrEqual(aims.notJudged);
  });
});

/** Of the harmless ones, 0…1. */
function partOf(figures: readonly ListFigures[], verdict: 'refuse' | 'cannot_judge'): number {
  const harmless = figures.filter(({isDangerous}) => !isDangerous).flatMap(({judged}) => judged);
  expect(harmless.length).toBeGreaterThan(isDeep ? 500 : 100);
  return harmless.filter(({judgement}) => judgement.verdict === verdict).length / harmless.length;
}
