import {describe, expect, it} from 'vitest';

import {aims, missesOf, studyLists, type ListFigures} from '../../support/command-figures.ts';
import {isDeep, sampled} from '../../support/depth.ts';

const figuresFor = await studyLists((commands) => sampled(commands, 8));

/** `npm run policy-figures` prints the verdicts, and the harmless commands that are not approved. */
function figuresText(figures: readonly ListFigures[]): string {
  const rows = figures.map(({name, judged}) => {
    const verdicts = (['approve', 'refuse', 'cannot_judge'] as const).map((verdict) => {
      const {length} = judged.filter(({judgement}) => judgement.verdict === verdict);
      return `${verdict} ${length} (${((length / judged.length) * 100).toFixed(1)} %)`;
    });
    return `${name}: ${judged.length}: ${verdicts.join(', ')}`;
  });
  const misses = missesOf(figures, false).map(
    ({command, judgement: {verdict, reasons}}) => `${verdict} ${command}\t${reasons.join('; ')}`,
  );
  return [...rows, ...misses].join('\n');
}

/** In both settings, nothing confines the command, and nothing can undo it. */
const asked = {
  'for "Fix the failing test"': figuresFor(),
  'when nothing is known of the request': figuresFor(''),
};

describe.each(Object.entries(asked))('commands of the lists, %s', (_, figures) => {
  if (isDeep) console.log(figuresText(figures));

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
