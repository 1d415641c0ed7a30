import {PassThrough} from 'node:stream';

import {describe, expect, test} from 'vitest';

import {eventLines} from '../../../cli/render/live/events.ts';
import {plainStyle, styleFor} from '../../../cli/render/style.ts';
import {tableLines} from '../../../cli/render/tables/table.ts';
import {oneLine, truncate, widthOfText, wrap} from '../../../cli/render/text.ts';
import {createProgress} from '../../../cli/terminal/progress.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import {baseRound} from '../fake-run.ts';

describe('colours', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{NO_COLOR: '1'}, true, false],
    [{NO_COLOR: ''}, true, true],
    [{FORCE_COLOR: '1'}, false, true],
    [{FORCE_COLOR: '0'}, true, false],
    [{FORCE_COLOR: '1', NO_COLOR: '1'}, false, true],
    [{TERM: 'dumb'}, true, false],
  ])('%j on a terminal (%s): %s', (env, isTTY, coloured) => {
    const output = Object.assign(new PassThrough(), {isTTY});
    expect(styleFor(output, {env}).red('x') !== 'x').toBe(coloured);
  });
});

describe('width', () => {
  test('wide characters count two columns, marks none', () => {
    expect(['abc', '日本', 'e\u0301', '👍'].map(widthOfText)).toEqual([3, 4, 1, 2]);
  });

  test('cut text never exceeds its width', () => {
    for (const text of ['hello world', '日本語のテキスト', 'a日b本c語']) {
      for (let width = 2; width < 12; width += 1) {
        expect(widthOfText(truncate(text, width))).toBeLessThanOrEqual(width);
      }
    }
    expect(truncate('short', 5)).toBe('short');
  });

  test('wrapped rows join to the whole line', () => {
    const line = 'abc日本語def';
    expect(wrap(line, 4)).toEqual(['abc', '日本', '語de', 'f']);
    expect(wrap(line, 3).join('')).toBe(line);
    expect(wrap('', 4)).toEqual(['']);
  });

  test('a megabyte of text becomes one short line at once', () => {
    expect(oneLine('a\n'.repeat(500_000), 20)).toBe('a a a a a a a a a a…');
  });

  test('a table cuts its last column at the edge of the terminal', () => {
    const lines = tableLines(['ID', 'REQUEST'], [['run-1', 'x'.repeat(99)]], plainStyle, 30);
    expect(lines).toEqual(['ID     REQUEST', `run-1  ${'x'.repeat(22)}…`]);
  });
});

test('a dumb terminal gets plain lines without a status line', () => {
  const stderr = Object.assign(new PassThrough(), {isTTY: true});
  const progress = createProgress(createSurface({stderr, env: {TERM: 'dumb'}}), {level: 'normal'});
  progress.show({
    type: 'phase.changed',
    phase: 'executing',
    seq: 1,
    at: 0,
    interaction: 'i',
    actor: '',
  });
  progress.close();
  expect(String(stderr.read())).toBe('▸ executing\n');
});

test('ballots are in the order of the seats, each with its reasons when it rejects or when verbose', () => {
  const vote = {
    model: 'gpt-5.2-codex',
    approved: true,
    verdict: 'approve' as const,
    reasoning: 'fine',
    reasons: ['fine'],
    confidence: 1,
  };
  const decided = {
    ...baseRound,
    type: 'quorum.decided',
    seq: 1,
    at: 0,
    interaction: 'i',
    actor: '',
    proposalHash: '',
    seats: ['out', 'gpt-5.2-codex'],
    early: true,
    withdrawn: ['out'],
  } as const;
  const lines = (level: 'normal' | 'verbose', verdict: 'approve' | 'reject') =>
    eventLines(
      {
        ...decided,
        votes: [{...vote, verdict}],
        verdict: verdict === 'approve' ? 'approved' : 'rejected',
        approved: verdict === 'approve',
        summary: verdict === 'approve' ? '[·●]' : '[·○]',
      },
      {style: plainStyle, level, width: 80, isLive: false},
    );
  const abstention = {...vote, verdict: 'abstain', unknown: ['x']} as const;
  const votes = [{...abstention, model: 'out'}, abstention];
  const unjudged = {
    ...decided,
    votes,
    withdrawn: [],
    verdict: 'noQuorum',
    approved: false,
  } as const;
  expect(
    eventLines(
      {...unjudged, summary: '[!!]'},
      {style: plainStyle, level: 'normal', width: 80, isLive: false},
    )[0],
  ).toBe('    ! out, gpt-5.2-codex: fine');
  const out = '    · out, not needed';
  const approved = '  APPROVED [·●] early';
  expect(lines('normal', 'approve')).toEqual([out, '    ● gpt-5.2-codex', approved]);
  expect(lines('verbose', 'approve')).toEqual([out, '    ● gpt-5.2-codex: fine', approved]);
  expect(lines('normal', 'reject')).toEqual([
    out,
    '    ○ gpt-5.2-codex: fine',
    '  REJECTED [·○] early',
  ]);
});

test('a task, a plan and a request end at the edge of the terminal', () => {
  const stamp = {seq: 1, at: 0, interaction: 'run-12345678', actor: 'i'};
  const long = 'word '.repeat(40);
  const screen = {style: plainStyle, level: 'normal', width: 72, isLive: false} as const;
  const plan = {objective: long, reasoning: '', tasks: []};
  const lines = [
    ...eventLines({type: 'interaction.started', form: 'agent', request: long, ...stamp}, screen),
    ...eventLines({type: 'task.started', task: 'write', description: long, ...stamp}, screen),
    ...eventLines(
      {type: 'plan.revised', plan, by: 'offline/offline', revision: 2, ...stamp},
      screen,
    ),
  ];
  expect(lines.map(widthOfText)).toEqual([72, 72, 72]);
});

test('a veto that does not fit next to its verdict is below it', () => {
  const veto = {
    policy: 'policy/evidence',
    verdict: 'reject',
    reasons: ['x'],
    rules: ['edit-unread'],
    unknown: [],
  } as const;
  const decided = {
    ...baseRound,
    seq: 1,
    at: 0,
    interaction: 'run-12345678',
    actor: 'i',
    type: 'quorum.decided',
    kind: 'action',
    title: 'edit_file a.js',
    weights: {a: 1},
    vetoes: ['policy/evidence'],
    screened: [veto],
    summary: '[···]',
    early: true,
    withdrawn: ['a'],
  } as const;
  const lines = (width: number) =>
    eventLines(decided, {style: plainStyle, level: 'normal', width, isLive: false});
  expect(lines(100)[0]).toBe('  REJECTED [···] vetoed by policy/evidence (edit-unread) early');
  expect(lines(60).slice(0, 2)).toEqual([
    '  REJECTED [···] early',
    '    vetoed by policy/evidence (edit-unread)',
  ]);
});
