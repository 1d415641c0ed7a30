/** The seats of a panel: their names, their prompts and their weights. */

import {describe, expect, test} from 'vitest';

import type {Proposal, ReviewRound} from '../../../machines/domain/review.ts';
import {hideNames} from '../../../machines/panel/names.ts';
import {
  panelRecord,
  type RecordedRound,
  type SeatRecord,
} from '../../../machines/panel/recorded-votes.ts';
import {reviewMessage} from '../../../machines/panel/round.ts';
import {personWords} from '../../../machines/prompts/section-text.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {roundWith} from '../../support/rounds.ts';

function recordOf(seat: string, rounds: readonly RecordedRound[]): SeatRecord {
  const found = panelRecord(rounds).seats.find((record) => record.seat === seat);
  if (!found) throw new Error(`${seat} has no seat`);
  return found;
}

const rejection = roundWith('○○●', 'rejected');
const approval = roundWith('○●●', 'approved');
const early = roundWith('●●·', 'approved');
const silent = roundWith('●!!', 'noQuorum', {participation: {cast: 1, required: 2}});
const three = [rejection, approval, early];

describe('of three rounds, [○○●] rejected, [○●●] approved and [●●·] approved', () => {
  test.each([
    // a turns the first alone, and may turn the last; without it only the last may differ.
    ['a', {approved: 1, rejected: 2, unheard: 0}, [2, 3], [1, 2], [0, 1]],
    // b turns the first two, and may turn the last; without it the second is a tie, the last may differ.
    ['b', {approved: 2, rejected: 1, unheard: 0}, [3, 3], [2, 3], [1, 2]],
    // c turns the second, and did not vote in the last, where nothing depends on it.
    ['c', {approved: 2, rejected: 0, unheard: 1}, [1, 2], [1, 1], [1, 1]],
  ] as const)('%s gave %j', (seat, votes, [agreed, of], decisive, without) => {
    expect(recordOf(seat, three)).toEqual({
      seat,
      rounds: 3,
      abstained: 0,
      failed: 0,
      ...votes,
      agreement: {count: agreed, of},
      decisive: {least: decisive[0], most: decisive[1]},
      turnedWithout: {least: without[0], most: without[1]},
    });
  });

  test('each pair is compared where both have voted', () => {
    const {rounds, verdicts, pairs} = panelRecord(three);
    expect({rounds, verdicts}).toEqual({
      rounds: 3,
      verdicts: {approved: 2, rejected: 1, noQuorum: 0},
    });
    expect(pairs).toEqual([
      {seats: ['a', 'b'], count: 2, of: 3},
      {seats: ['a', 'c'], count: 0, of: 2},
      {seats: ['b', 'c'], count: 1, of: 2},
    ]);
  });
});

describe('a seat', () => {
  test('neither agrees with nor decides a panel without a verdict, and decides a panel in which it sits alone', () => {
    expect(recordOf('a', [silent])).toMatchObject({
      agreement: {count: 0, of: 0},
      decisive: {least: 0, most: 0},
      turnedWithout: {least: 0, most: 0},
    });
    const alone = roundWith('●', 'approved');
    expect(recordOf('a', [alone])).toMatchObject({
      decisive: {least: 1, most: 1},
      turnedWithout: {least: 1, most: 1},
    });
  });

  test('that failed to vote is distinguished from one that chose to abstain, and from one that could not be asked', () => {
    const votes = [
      {model: 'a', verdict: 'abstain', abstainedBecause: 'deadline passed'},
      {model: 'b', verdict: 'abstain'},
      {model: 'c', verdict: 'abstain', abstainedBecause: 'auth: no key'},
      {model: 'd', verdict: 'approve'},
    ] as const;
    const round = roundWith('!!!●', 'rejected', {votes, missed: ['c']});
    const fates = ['a', 'b', 'c', 'd'].map((seat) => {
      const {failed, abstained, unheard} = recordOf(seat, [round]);
      return [failed, abstained, unheard];
    });
    expect(fates).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });

  test('whose silence made a panel fail turns it by leaving', () => {
    const round = roundWith('●!', 'rejected');
    expect(recordOf('b', [round])).toMatchObject({
      decisive: {least: 0, most: 0},
      turnedWithout: {least: 1, most: 1},
    });
  });

  test('decides nothing that a policy rejected', () => {
    const screened = [{policy: 'policy/scope', verdict: 'reject'}] as const;
    expect(recordOf('a', [roundWith('···', 'rejected', {screened})])).toMatchObject({
      rounds: 1,
      unheard: 1,
      decisive: {least: 0, most: 0},
      turnedWithout: {least: 0, most: 0},
    });
  });

  test('may have decided any round that an older journal records without its weights', () => {
    const {weights: _, ...older} = approval;
    expect(recordOf('b', [older])).toMatchObject({
      agreement: {count: 1, of: 1},
      decisive: {least: 0, most: 1},
      turnedWithout: {least: 0, most: 1},
    });
  });

  test('is counted only on the panels in which it sat', () => {
    const pair = roundWith('●●', 'approved');
    expect(recordOf('c', [...three, pair])).toMatchObject({rounds: 3});
    expect(recordOf('a', [...three, pair])).toMatchObject({rounds: 4});
  });

  test.each([
    [[300], 300],
    [[900, 100, 300], 300],
    [[400, 100, 300, 900], 350],
  ])('that took %j ms has a median of %i ms', (times, expected) => {
    const rounds = times.map((ms) =>
      roundWith('●', 'approved', {votes: [{model: 'a', verdict: 'approve', ms}]}),
    );
    expect(recordOf('a', rounds).latencyMs).toBe(expected);
  });

  test('has no latency from a failed ballot, nor from one of an older journal', () => {
    const late = {
      model: 'a',
      verdict: 'abstain',
      abstainedBecause: 'invalid ballot',
      ms: 5,
    } as const;
    const failed = roundWith('!', 'rejected', {votes: [late]});
    expect(recordOf('a', [failed, roundWith('●', 'approved')])).not.toHaveProperty('latencyMs');
  });

  test('has the spending of its calls, if there were any', () => {
    const spent = {calls: 4, inputTokens: 300, outputTokens: 30, unpriced: 4, estimated: true};
    const {seats} = panelRecord(three, new Map([['b', spent]]));
    expect(seats.map((record) => record.spent)).toEqual([undefined, spent, undefined]);
  });
});

const named = [
  {id: 'claude-sonnet-4.5', model: 'anthropic/claude-sonnet-4.5'},
  {id: 'gpt-5.2-codex', model: 'openai/gpt-5.2-codex'},
  {id: 'solar', model: 'local/solar'},
  {id: 'a', model: 'mock/a'},
];

const shown = (text: string, question = 'Should we move the queue?') =>
  hideNames(text, named, question);

describe('a name is hidden', () => {
  test.each([
    ['As claude-sonnet-4.5, I would wait.', 'As [a participant], I would wait.'],
    ['I am Claude Sonnet 4.5 and I would wait.', 'I am [a participant] and I would wait.'],
    ['I’m GPT-5.2, by the way.', 'I’m [a participant], by the way.'],
    ['I am a model trained by Anthropic.', 'I am a model trained by [a participant].'],
    ['(anthropic/claude-sonnet-4.5)', '([a participant])'],
    ['I agree with GPT 5.2 Codex.', 'I agree with [a participant].'],
    ['**Solar:** yes.', '**[a participant]:** yes.'],
    ['Yes.\n— Solar', 'Yes.\n— [a participant]'],
    ['Solar here: yes.', '[a participant] here: yes.'],
    ['私はClaudeです。', '私は[a participant]です。'],
  ])('%j', (text, hidden) => {
    expect(shown(text)).toBe(hidden);
  });
});

describe('other words stay', () => {
  test.each([
    'Solar power is cheap, and a local queue costs a dollar.',
    'I am a developer, as a rule.',
    'Use a mock server in tests.',
    'Preclaude and gptx are other words.',
  ])('%j', (text) => {
    expect(shown(text)).toBe(text);
  });
});

test('a name in the question stays, except where a participant introduces itself', () => {
  const question = 'Is Claude or GPT better at this?';
  expect(shown('Claude is better.', question)).toBe('Claude is better.');
  expect(shown('I am Claude: Claude is better.', question)).toBe(
    'I am [a participant]: Claude is better.',
  );
});

test('a long text of beginnings of names is handled quickly', () => {
  const started = cpuMs();
  shown('claude-'.repeat(20_000));
  shown('I am '.repeat(20_000));
  expect(cpuMs() - started).toBeLessThan(1_000);
});

const background = [['Survey', personWords('A small shop.')]] as const;

function messageOn(kind: Proposal['kind'], text = 'Do it.', round = 1) {
  const facts = {
    request: 'Fix the shop.',
    assigned: `Do ${text}`,
    workspace: '/w',
    calls: [],
    evidence: [],
    claims: [],
  };
  const earlier: ReviewRound = {
    round: 1,
    kind,
    title: 'It',
    proposalHash: 'h',
    rule: 'majority',
    seats: ['a'],
    weights: {},
    vetoes: [],
    participation: {cast: 1, required: 1},
    verdict: 'rejected',
    approved: false,
    votes: [],
    summary: '[○]',
    early: false,
    withdrawn: [],
    degraded: false,
    timestamp: 0,
  };
  const proposal = {kind, title: 'It', text, hash: 'h', facts};
  return reviewMessage(proposal, round, background, round > 1 ? [earlier] : []);
}

test('reviewers of a plan judge whether it does what was asked, safely and in the right order', () => {
  expect(messageOn('plan').text).toMatch(/does it do what the request asks.*safe.*order right/);
});

test('reviewers of an action judge whether it is needed and right, and whether a safer way exists', () => {
  expect(messageOn('action').text).toMatch(/is it needed.*arguments right.*safer way/);
});

test('reviewers of a result judge whether it does what was asked, and whether its claims are true', () => {
  expect(messageOn('result').text).toMatch(/does it do what the request asked.*claim supported/);
});

test('all votes of a run begin with the same background; what differs follows, the earlier rounds last', () => {
  const messages = [
    messageOn('plan'),
    messageOn('action', 'Write.'),
    messageOn('action', 'Write.', 2),
  ];
  const beginnings = messages.map(({text, stable}) => text.slice(0, stable));
  expect(beginnings[0]).toBe('# Request\nFix the shop.\n\n# Survey\nA small shop.\n\n');
  expect(new Set(beginnings).size).toBe(1);
  const titles = messages[2]?.text.match(/^# \w+/gm);
  expect(titles).toEqual(['# Request', '# Survey', '# Task', '# Proposal', '# Earlier', '# What']);
  expect(messages[2]?.text).toContain('Do not raise the bar');
  expect(messages[1]?.text).not.toContain('Do not raise the bar');
});
