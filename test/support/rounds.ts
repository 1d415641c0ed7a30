/** Rounds as in a journal, written in their displayed notation. */

import type {RecordedRound} from '../../machines/panel/recorded-votes.ts';

const verdicts: Readonly<Record<string, 'approve' | 'reject' | 'abstain'>> = {
  '●': 'approve',
  '○': 'reject',
  '!': 'abstain',
};

/** Equal seats `a`, `b` …, one for each mark of `●○!·`, by majority. */
export function roundWith(
  marks: string,
  verdict: RecordedRound['verdict'],
  more: Partial<RecordedRound> = {},
): RecordedRound {
  const seats = marks.split('').map((_, index) => String.fromCodePoint(97 + index));
  const votes = seats.flatMap((model, index) => {
    const given = verdicts[marks[index] ?? ''];
    return given ? [{model, verdict: given}] : [];
  });
  return {
    round: 1,
    kind: 'plan',
    title: 'Tidy up',
    rule: 'majority',
    seats,
    weights: Object.fromEntries(seats.map((seat) => [seat, 1])),
    vetoes: [],
    participation: {cast: votes.filter((vote) => vote.verdict !== 'abstain').length, required: 1},
    verdict,
    summary: `[${marks}]`,
    votes,
    ...more,
  };
}
