import {expect, test} from 'vitest';

import {
  callOfBallot,
  roundsAt,
  roundsOf,
} from '../../../../cli/inspect/page/browser/derived/rounds.ts';
import {asJson} from '../../../../machines/domain/json.ts';
import type {Report} from '../../../../machines/facts/progress.ts';
import {momentsOf, noted, reported} from './trace-steps.ts';

const panel = 'i/interaction/form/quorum';

const started: Report = {
  type: 'quorum.started',
  round: 1,
  kind: 'plan',
  title: 'Write it',
  rule: 'majority',
  seats: ['a', 'b'],
};

function ballot(model: string, verdict: 'approve' | 'reject'): Report {
  const approved = verdict === 'approve';
  const vote = {model, approved, verdict, reasoning: '', reasons: [], confidence: 0.5};
  return {type: 'ballot.cast', round: 1, kind: 'plan', vote};
}

const decided: Report = {
  type: 'quorum.decided',
  round: 1,
  kind: 'plan',
  title: 'Write it',
  proposalHash: 'f0',
  rule: 'majority',
  seats: ['a', 'b'],
  weights: {a: 1, b: 1},
  vetoes: [],
  participation: {cast: 2, required: 1},
  verdict: 'approved',
  approved: true,
  votes: [],
  summary: '[●○]',
  early: false,
  withdrawn: [],
  degraded: false,
  timestamp: 3,
};

test('a round has the ballots and the outcome that there were at the moment', () => {
  const moments = momentsOf(
    reported(panel, started),
    reported(panel, ballot('a', 'approve')),
    reported(panel, ballot('b', 'reject'), decided),
  );
  const shown = (index: number): unknown =>
    roundsAt(roundsOf(moments), index).map(({ballots, decided: outcome}) => [
      ballots.map(({index: at, vote}) => [at, vote['model']]),
      outcome?.record['summary'],
    ]);
  expect(shown(0)).toEqual([[[], undefined]]);
  expect(shown(1)).toEqual([[[[1, 'a']], undefined]]);
  expect(shown(2)).toEqual([
    [
      [
        [1, 'a'],
        [2, 'b'],
      ],
      '[●○]',
    ],
  ]);
});

test('the note of a decision that was reported is not a second round', () => {
  const note = {...asJson(decided), type: 'quorum.decided', actor: 'interaction/form/quorum'};
  const moments = momentsOf(reported(panel, started), reported(panel, decided), noted(note));
  expect(roundsOf(moments)).toHaveLength(1);
});

test('a note alone is a round with the ballots that it names', () => {
  const votes = [{model: 'a', verdict: 'approve'}];
  const note = {...asJson(decided), type: 'quorum.decided', actor: 'q', votes};
  const [round] = roundsOf(momentsOf(noted(note)));
  expect(round?.ballots).toEqual([{index: 0, vote: votes[0]}]);
});

test('the later ballot of a seat replaces the earlier one', () => {
  const moments = momentsOf(
    reported(panel, started, ballot('a', 'approve')),
    reported(panel, ballot('a', 'reject')),
  );
  expect(roundsOf(moments)[0]?.ballots.map(({vote}) => vote['verdict'])).toEqual(['reject']);
});

test('steps that arrive later continue the rounds', () => {
  const moments = momentsOf(reported(panel, started));
  expect(roundsOf(moments)[0]?.ballots).toEqual([]);
  const [step] = momentsOf({}, reported(panel, ballot('a', 'approve'))).steps.slice(1);
  moments.add(step ? [step] : []);
  expect(roundsOf(moments)[0]?.ballots).toHaveLength(1);
});

test('the prompt of a ballot is that of the last call of its own seat until then', () => {
  const call = (actor: string, requested: number): {actor: string; requested: number} => ({
    actor: `${panel}/poll/${actor}`,
    requested,
  });
  const calls = [
    call('seat:a/call/model', 1),
    call('seat:a/call/model', 3),
    call('seat:ab/call/model', 4),
    call('seat:a/call/model', 9),
  ];
  expect(callOfBallot(calls, {actor: panel, seat: 'a', seq: 5})).toBe(calls[1]);
  expect(callOfBallot(calls, {actor: panel, seat: 'policy/safety', seq: 5})).toBeUndefined();
  expect(callOfBallot(calls, {actor: `${panel}2`, seat: 'a', seq: 5})).toBeUndefined();
});
