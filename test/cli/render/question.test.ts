/** The subject of a person's decision is shown in full, in rows that fit, broken between words; colours, widths, votes. */

import {PassThrough} from 'node:stream';

import {expect, test, describe} from 'vitest';

import {screenLines} from '../../../cli/gate/screen.ts';
import {eventLines} from '../../../cli/render/live/events.ts';
import {taskLines, wholeTaskLines} from '../../../cli/render/plan.ts';
import {questionLines} from '../../../cli/render/question.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle, styleFor} from '../../../cli/render/style.ts';
import {tableLines} from '../../../cli/render/tables/table.ts';
import {
  proseRows,
  widthOfText,
  wrapWords,
  oneLine,
  truncate,
  wrap,
} from '../../../cli/render/text.ts';
import {createProgress} from '../../../cli/terminal/progress.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import type {Plan, Task} from '../../../machines/domain/plan.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {baseRound, baseResult} from '../fake-run.ts';

const longReason = Array.from({length: 200}, (_, index) => `reason${index}`).join(' ');

const plan: Plan = {
  objective: 'README に導入手順を追加し、続けて試験の手順も書き、最後に目次を更新する',
  reasoning: 'The README lacks them.',
  tasks: [
    {
      id: '1',
      description: 'Write a script that the tests begin with',
      tool: 'write_file',
      args: {path: 'run.sh', content: 'set -eu\nnpm ci\nnpm test\n', create_dirs: true},
      depends_on: ['0'],
      context_mode: 'full',
      expected_outcome: 'run.sh exists',
      timeout_ms: 90_000,
    },
  ],
};

const vetoed: ReviewRound = {
  ...baseRound,
  title: plan.objective,
  proposalHash: 'f'.repeat(64),
  seats: ['a', 'policy/scope'],
  weights: {a: 1, 'policy/scope': 1},
  vetoes: ['policy/scope'],
  participation: {cast: 2, required: 1},
  votes: [
    {
      model: 'policy/scope',
      approved: false,
      verdict: 'reject',
      reasoning: '',
      reasons: [`scope/outside-workspace: "../x"; safer: stay inside; ${longReason}`],
      confidence: 1,
      rules: ['outside-workspace'],
    },
  ],
  summary: '[·○]',
  early: true,
  withdrawn: ['a'],
};

const question: HumanQuestion = {
  kind: 'plan',
  request: 'Set up the tests',
  reason: 'The panel rejected it three times.',
  plan,
  proposalHash: '0123456789abcdef'.repeat(4),
  history: [vetoed],
  allowed: ['approve', 'reject', 'edit', 'revise'],
};

test.each([40, 80, 200])('a gate of %i columns cuts nothing that is decided on', (width) => {
  const lines = screenLines(question, '/work/some folder', plainStyle, {width, height: 24});
  const joined = lines.map((line) => line.trim()).join(' ');
  for (const part of [
    ...longReason.split(' '),
    'npm ci',
    'run.sh exists',
    '1 min 30 s',
    'after 0',
  ]) {
    expect(joined).toContain(part);
  }
  expect(joined).toContain('vetoed by policy/scope (outside-workspace)');
  expect(joined).toContain('in /work/some folder');
  expect(lines.join('')).not.toContain('…');
  const tooWide = lines.filter((line) => !line.includes('/') && widthOfText(line) > width);
  expect(tooWide).toEqual([]);
});

test('arguments of several lines are laid out, each line on its own', () => {
  expect(wholeTaskLines(plan, 60)).toEqual([
    '1. Write a script that the tests begin with',
    '   write_file · after 0',
    '     path: run.sh',
    '     content:',
    '       │ set -eu',
    '       │ npm ci',
    '       │ npm test',
    '     create_dirs: true',
    '   expected: run.sh exists',
    '   time limit: 1 min 30 s',
  ]);
});

test('a result that waits for a model states once what is missing, and how to continue', () => {
  const message = 'mock/a: the provider can’t be reached';
  const result = {
    ...baseResult,
    status: 'waiting',
    exitCode: 2,
    resumable: true,
    summary: `Suspended because a model could not be called: ${message}`,
    error: {code: 'network', message},
    tasks: [],
    reviews: [],
  } as const;
  expect(resultLines(result, {style: plainStyle, width: 100}).slice(0, 3)).toEqual([
    `suspended because a model could not be called: ${message}`,
    'when this is fixed, continue with: quorate resume run-1',
    '',
  ]);
});

test('a result that waits has question, plan, votes, digest, folder and the commands', () => {
  const result = {
    ...baseResult,
    status: 'waiting',
    exitCode: 4,
    summary: 'Waiting for a person: The panel rejected it three times.',
    waiting: {
      question,
      plan,
      votes: question.history,
      digest: question.proposalHash,
      workspace: '/work/some folder',
    },
  } as const;
  const lines = resultLines(result, {style: plainStyle, width: 100});
  expect(lines[0]).toBe('waiting for a person: The panel rejected it three times.');
  const said = lines.join('\n');
  for (const part of [
    'Set up the tests',
    '       │ npm ci',
    'The README lacks them.',
    'Rev 1: REJECTED [·○] vetoed by policy/scope (outside-workspace)',
    'reason199',
    `Deciding on sha256 ${question.proposalHash.slice(0, 8)}`,
    'in /work/some folder',
    'quorate resume run-1 --decision edit:FILE',
    'quorate show run-1',
  ]) {
    expect(said).toContain(part);
  }
  const brief = resultLines(result, {style: plainStyle, width: 100, isBrief: true}).join('\n');
  expect(brief).toContain('quorate resume run-1 --decision reject');
  expect(brief).not.toContain('npm ci');
});

test('a result that waits after several rejected actions lists all their votes', () => {
  const reviews = ['write_file a', 'write_file b', 'write_file c', 'write_file d'].map(
    (title): ReviewRound => Object.assign({}, vetoed, {kind: 'action', title, proposalHash: title}),
  );
  const votes = reviews.slice(1);
  const result = {
    ...baseResult,
    status: 'waiting',
    exitCode: 4,
    reviews,
    waiting: {
      question: {...question, kind: 'action', history: votes},
      votes,
      digest: question.proposalHash,
      workspace: '/work',
    },
  } as const;
  const lines = resultLines(result, {style: plainStyle, width: 100});
  const listed = lines.slice(lines.indexOf('Votes')).filter((line) => line.includes('REJECTED'));
  expect(listed.map((line) => /"(.*)"/.exec(line)?.[1])).toEqual(reviews.map(({title}) => title));
});

test('rows break between words, and between Japanese characters, never before a full stop', () => {
  expect(wrapWords('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapWords('日本語の文。次の文', 10)).toEqual(['日本語の', '文。次の文']);
  expect(wrapWords('a extraordinarily b', 8)).toEqual(['a', 'extraord', 'inarily', 'b']);
  expect(proseRows('one two\n\nthree', 20, '  ')).toEqual(['  one two', '  ', '  three']);
});

test('votes on several actions are distinguished by their actions', () => {
  const action: ReviewRound = {...vetoed, kind: 'action', votes: []};
  const history = [
    {...action, title: 'write_file a'},
    {...action, title: 'write_file b'},
  ];
  const lines = questionLines(
    {...question, kind: 'action', history},
    {style: plainStyle, width: 80},
  );
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^ {2}write_file a: REJECTED/),
    expect.stringMatching(/^ {2}write_file b: REJECTED/),
  ]);
});

test('equal votes on actions are shown once, with their number', () => {
  const action = {...vetoed, kind: 'action', title: 'write_file a.txt'} as const;
  const lines = questionLines(
    {
      ...question,
      kind: 'action',
      history: [action, action, {...action, title: 'write_file b.txt'}],
    },
    {style: plainStyle, width: 200},
  );
  const heads = lines.filter((line) => /write_file [ab]/.test(line));
  expect(heads.map((line) => line.trim().split(': ')[0])).toEqual([
    'write_file a.txt (2 times)',
    'write_file b.txt',
  ]);
});

test('a note below an action breaks between words, and the footer of a result between its parts', () => {
  const note = `${'It can remove what no review can see '.repeat(3)}${'build output '.repeat(9)}`;
  const action: HumanQuestion = {
    kind: 'action',
    reason: 'rejected',
    request: 'r',
    proposalHash: 'a'.repeat(64),
    preview: `rm -r dist\n${note}`,
    history: [],
    allowed: ['approve', 'reject'],
  };
  const rows = questionLines(action, {style: plainStyle, width: 40}).map((row) => row.trim());
  const words = new Set(note.split(' '));
  const start = rows.indexOf('rm -r dist') + 1;
  expect(
    rows
      .slice(start)
      .flatMap((row) => row.split(' '))
      .filter((word) => !words.has(word)),
  ).toEqual([]);
  const usage = {...baseResult.usage, inputTokens: 1_234_567, cachedTokens: 1_000_000};
  const result = resultLines({...baseResult, usage}, {style: plainStyle, width: 50});
  expect(result.slice(-3)).toEqual([
    'run-1 · 3 model calls',
    '1,234,567 tokens in (1,000,000 cached) · 34 out',
    '$0.25',
  ]);
});

const task: Task = {id: 'a', description: 'Write it', context_mode: 'full'};

function shown(more: Partial<Task>): string[] {
  return taskLines({objective: '', reasoning: '', tasks: [{...task, ...more}]}, plainStyle, 80);
}

test('a task shows its call, and no arguments that are not known yet', () => {
  expect(shown({tool: 'write_file', args: {path: 'x'}})).toEqual([
    '1. Write it',
    '   write_file {"path":"x"}',
  ]);
  expect(shown({tool: 'write_file', depends_on: ['b']})).toEqual([
    '1. Write it',
    '   write_file · after b',
  ]);
  expect(shown({})).toEqual(['1. Write it']);
});

test('a plan for the rest names the repeated tasks, and the dropped ones with the reason', () => {
  const drops = [{task_id: 't2', reason: 'the file is there already'}];
  const tasks = [{...task, redoes: ['t1']}];
  expect(taskLines({objective: '', reasoning: '', tasks, drops}, plainStyle, 80)).toEqual([
    '1. Write it',
    '   redoes: t1',
    'gives up task t2: the file is there already',
  ]);
});

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

test('a decided vote is one line, with the reasons of those who did not approve, or of all when verbose', () => {
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
    ),
  ).toEqual([
    '  plan "Write it", round 1: NO QUORUM [!!] (early)',
    '    └─ out, gpt-5.2-codex: fine',
  ]);
  const approved = '  plan "Write it", round 1: APPROVED [·●] (early; not needed: out)';
  const reason = '    └─ gpt-5.2-codex: fine';
  expect(lines('normal', 'approve')).toEqual(['  plan "Write it", round 1: APPROVED [·●]']);
  expect(lines('verbose', 'approve')).toEqual([approved, reason]);
  expect(lines('normal', 'reject')).toEqual([
    '  plan "Write it", round 1: REJECTED [·○] (early; not needed: out)',
    reason,
  ]);
});

test('a task, a plan and a request end at the edge of the terminal', () => {
  const stamp = {seq: 1, at: 0, interaction: 'run-12345678', actor: 'i'};
  const long = 'word '.repeat(40);
  const screen = {style: plainStyle, level: 'normal', width: 72, isLive: false} as const;
  const revised = {objective: long, reasoning: '', tasks: []};
  const lines = [
    ...eventLines({type: 'interaction.started', form: 'agent', request: long, ...stamp}, screen),
    ...eventLines({type: 'task.started', task: 'write', description: long, ...stamp}, screen),
    ...eventLines(
      {type: 'plan.revised', plan: revised, by: 'offline/offline', revision: 2, ...stamp},
      screen,
    ),
  ];
  expect(lines.map(widthOfText)).toEqual([72, 72, 72]);
});

test('a verdict that does not fit next to its subject is below it', () => {
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
  const verdict = 'REJECTED [···] vetoed by policy/evidence (edit-unread)';
  expect(lines(100)[0]).toBe(`  action "edit_file a.js", round 1: ${verdict}`);
  expect(lines(60).slice(0, 2)).toEqual(['  action "edit_file a.js", round 1:', `    ${verdict}`]);
});
