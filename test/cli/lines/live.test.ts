/** The live view of a run: streamed text, command output, changed files, unavailable models. */

import {PassThrough} from 'node:stream';

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import {eventLines} from '../../../cli/render/live/events.ts';
import {createProseStream} from '../../../cli/render/live/prose-stream.ts';
import {createReporter} from '../../../cli/render/live/reporter.ts';
import {statusText} from '../../../cli/render/live/status.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import {type Level, plainStyle, type Screen} from '../../../cli/render/style.ts';
import {advance} from '../../../cli/render/view/fold.ts';
import {type RunView, emptyView} from '../../../cli/render/view/run-view.ts';
import {widthOf} from '../../../cli/terminal.ts';
import {createProgress} from '../../../cli/terminal/progress.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import type {ProgressEvent, Report} from '../../../machines/facts/progress.ts';
import {baseRound, baseResult} from '../fake-run.ts';

function stamped(report: Report): ProgressEvent {
  return {...report, seq: 1, at: 0, interaction: 'i', actor: ''};
}

function linesOf(report: Report, more: Partial<Screen> = {}): readonly string[] {
  const screen: Screen = {style: plainStyle, level: 'normal', width: 60, isLive: false, ...more};
  return eventLines(stamped(report), screen);
}

function viewAfter(...reports: readonly Report[]): RunView {
  return reports.map(stamped).reduce((view, event) => advance(view, event), emptyView);
}

test('words are written when they are complete, in rows that fit, in any script', () => {
  const stream = createProseStream(() => 10);
  const written = ['The ans', 'wer is fo', 'rty-two.\r', '\n日本語の文', '。次\u001b['].map(
    stream.add,
  );
  expect(written[0]).toBe('The ');
  expect(written.join('') + stream.end()).toBe(
    ['The answer', 'is ', 'forty-two.', '日本語の', '文。次', '\\x1b[', ''].join('\n'),
  );
  expect(stream.wasStreamed('The answer is forty-two.\r\n日本語の文。次\u001b[')).toBe(true);
  expect(stream.end()).toBe('');
});

const change = {
  path: 'notes.md',
  added: 20,
  removed: 1,
  diff: ['--- a/notes.md', '+++ b/notes.md', '@@ -1 +1,20 @@', '-old']
    .concat(Array.from({length: 20}, (_, index) => `+line ${index + 1}`))
    .join('\n'),
};

const write: Report = {
  type: 'tool.settled',
  tool: 'write_file',
  status: 'succeeded',
  message: 'replaced notes.md',
  task: 't',
  changes: [change],
};

test('a write shows the new content of the file: its first lines, and all of them with -v', () => {
  const few = linesOf(write);
  expect(few.slice(0, 4)).toEqual([
    '    notes.md +20 −1',
    '      @@ -1 +1,20 @@',
    '      -old',
    '      +line 1',
  ]);
  expect(few.at(-1)).toBe('      [10 more lines; quorate show has them all]');
  expect(linesOf(write, {level: 'verbose'}).at(-1)).toBe('      +line 20');
});

const printed = Array.from({length: 40}, (_, index) => `line ${index + 1}`).join('\n');

const failed: Extract<Report, {readonly type: 'tool.settled'}> = {
  type: 'tool.settled',
  tool: 'run_command',
  status: 'failed',
  message: `the command exited with code 1\n${printed}`,
  exitCode: 1,
  output: printed,
  task: 't',
};

test('the output of a command that a person typed is shown as it arrives; with -v, that of each command', () => {
  const output: Report = {type: 'tool.output', tool: 'run_command', text: 'one\ntwo'};
  const rows = ['    │ one', '    │ two'];
  expect(linesOf(output)).toEqual([]);
  expect(linesOf(output, {isLive: true})).toEqual(rows);
  expect(linesOf({...output, task: 't'}, {isLive: true})).toEqual([]);
  expect(linesOf({...output, task: 't'}, {level: 'verbose'})).toEqual(rows);
  const caret = {...output, text: 'a = 1 +\n      ^\n\n\tat line 3'};
  const kept = ['    │ a = 1 +', '    │       ^', '    │', '    │     at line 3'];
  expect(linesOf(caret, {isLive: true})).toEqual(kept);
});

/** Of a command that took 700 ms. */
function ended(settled: Partial<typeof failed>): readonly string[] {
  const called: Report = {
    type: 'tool.called',
    tool: 'run_command',
    summary: 'run_command npm test',
    task: 't',
    confinement: 'bubblewrap',
  };
  const screen: Screen = {style: plainStyle, level: 'normal', width: 80, isLive: true};
  const before = advance(emptyView, stamped(called));
  const event = {...stamped({...failed, ...settled}), at: 700};
  const views = {before, after: advance(before, event)};
  const reporter = createReporter();
  expect(reporter.report(stamped(called), {before: emptyView, after: before}, screen)).toEqual([]);
  return reporter.report(event, views, screen);
}

test('one line tells how the command of a task ended', () => {
  expect(ended({status: 'succeeded', exitCode: 0, output: '# pass 2\n# fail 0'})).toEqual([
    '    ✓ npm test · 2 passed · 0.7 s · bubblewrap',
  ]);
  expect(ended({output: 'not ok 1 - the sum\n# pass 1\n# fail 1'})).toEqual([
    '    ✗ npm test · exit 1 · 1 of 2 failed · 0.7 s · bubblewrap',
    '    │ the sum',
  ]);
  expect(ended({})).toEqual([
    '    ✗ npm test · exit 1 · 0.7 s · bubblewrap',
    ...['36', '37', '38', '39', '40'].map((line) => `    │ line ${line}`),
  ]);
});

function status(view: RunView, width = 100): string {
  return statusText(view, {elapsedMs: 2000, width, models: {planning: 'mock/planner'}});
}

test('a status line omits complete parts that do not fit', () => {
  const usage = {modelCalls: 12, inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.25};
  const planning = viewAfter(
    {type: 'phase.changed', phase: 'planning'},
    {type: 'usage', model: 'mock/planner', spent: usage, totals: usage},
  );
  const whole = 'planning · mock/planner · 12 model calls · $0.25 · 2 s';
  expect(status(planning)).toBe(whole);
  const rows = Array.from(whole, (_, width) => status(planning, width + 1));
  const parts = new Set(whole.split(' · '));
  const fits = rows.slice('planning'.length - 1);
  expect(fits.flatMap((row) => row.split(' · ')).filter((part) => !parts.has(part))).toEqual([]);
  expect(rows.every((row, at) => row.length <= at + 1)).toBe(true);
});

test('the status line names missing seats, and the working model with the end of its text', () => {
  const seats = ['a', 'b', 'c'];
  const round = {round: 1, kind: 'plan', title: 't', rule: 'majority', seats} as const;
  const vote = {
    model: 'b',
    approved: true,
    verdict: 'approve',
    reasoning: '',
    reasons: [],
  } as const;
  const cast = {
    type: 'ballot.cast',
    round: 1,
    kind: 'plan',
    vote: {...vote, confidence: 1},
  } as const;
  const voting = viewAfter({type: 'quorum.started', ...round}, cast);
  expect(status(voting)).toBe('starting · 1/3 ballots · 2 s · waiting for a, c');
  const planning = viewAfter({type: 'phase.changed', phase: 'planning'});
  expect(status(planning)).toBe('planning · mock/planner · 2 s');
  const text = 'first the tests,\nthen the fix';
  const writing = advance(planning, stamped({type: 'model.delta', model: 'm', text}));
  expect(status(writing, 40)).toBe('planning · m · 2 s · …ests, then the fix');
  const totals = {modelCalls: 1, inputTokens: 1, outputTokens: 1, cachedTokens: 0};
  const written = advance(writing, stamped({type: 'usage', model: 'm', spent: totals, totals}));
  expect(status(written)).toBe('planning · mock/planner · 1 model call · 2 s');
});

test('an answer is written once on a terminal: as it arrives, not again as a thought or a result', () => {
  const stderr = Object.assign(new PassThrough(), {isTTY: true, columns: 30});
  const progress = createProgress(createSurface({stderr, env: {NO_COLOR: '1'}}), {
    level: 'normal',
    streamsAnswers: true,
  });
  const show = (report: Report): void => progress.show(stamped(report));
  show({type: 'interaction.started', form: 'ask', request: 'q'});
  show({type: 'model.delta', model: 'm', text: 'I look into '});
  show({type: 'model.delta', model: 'm', text: 'the file.'});
  show({type: 'thought', text: 'I look into the file.'});
  show({type: 'tool.called', tool: 'read_file', summary: 'read_file a'});
  show({type: 'model.delta', model: 'm', text: 'It is forty-two, as the '});
  show({type: 'model.delta', model: 'm', text: 'file says.'});
  progress.close();
  const shown = String(stderr.read());
  expect(shown.match(/I look into the file\./g)).toHaveLength(1);
  expect(shown).toContain('It is forty-two, as the file \nsays.\n');
  expect(progress.wasStreamed('It is forty-two, as the file says.')).toBe(true);
  const result = {...baseResult, form: 'ask', answer: 'It is forty-two.'} as const;
  const sources = [
    {place: 'a:1', quote: '  It is\n> forty-two. '},
    {place: 'b:1', quote: 'else'},
  ];
  const view = {style: plainStyle, width: 80};
  expect(resultLines({...result, sources}, {...view, isStreamed: true})).toEqual([
    '',
    'Sources',
    '  a:1',
    '  b:1: “else”',
  ]);
});

test('the failure of a task is shown at its end, and not again in the evaluation', () => {
  const stderr = new PassThrough();
  const progress = createProgress(createSurface({stderr, env: {}}), {level: 'normal'});
  const show = (report: Report): void => progress.show(stamped(report));
  show({type: 'task.started', task: '1', description: 'Run the tests'});
  show({type: 'task.settled', task: '1', status: 'failed', message: 'it ended with exit code 1'});
  const problems = ['task 1 failed: it ended with exit code 1', 'the file a.txt is missing'];
  const feedback = 'write it first';
  show({type: 'result.judged', successful: false, problems, feedback, isReplanned: false});
  progress.close();
  const shown = String(stderr.read());
  expect(shown.match(/exit code 1/g)).toHaveLength(1);
  expect(shown).toContain('not done yet: the file a.txt is missing\n  feedback: write it first\n');
});

function planned(id: string): Report {
  const tasks = [{id, description: 'Edit a.js', context_mode: 'full'}] as const;
  return {type: 'plan.created', plan: {objective: 'Fix it', reasoning: '', tasks}, by: 'm/planner'};
}

test('a new plan is shown with its reason, in full where the task ended, and not repeated', () => {
  const stderr = new PassThrough();
  const progress = createProgress(createSurface({stderr, env: {}}), {level: 'normal'});
  const show = (report: Report): void => progress.show(stamped(report));
  show(planned('fix'));
  show({type: 'task.started', task: 'fix', description: 'Edit a.js'});
  show({type: 'task.settled', task: 'fix', status: 'skipped', message: 'a.js was not read'});
  const problems = ['task fix skipped: a.js was not read'];
  show({type: 'result.judged', successful: false, problems, feedback: '', isReplanned: true});
  show(planned('fix2'));
  progress.close();
  const shown = String(stderr.read());
  expect(shown.match(/was not read/g)).toHaveLength(1);
  expect(shown).toContain('  not done yet: task fix skipped\n');
  expect(shown).toMatch(/\n {2}plan: the same tasks as before \(by m\/planner\)\n$/);
});

test('a status line that a narrower terminal wraps is removed completely', () => {
  const stderr = Object.assign(new PassThrough(), {isTTY: true, columns: 80});
  const progress = createProgress(createSurface({stderr, env: {NO_COLOR: '1'}}), {level: 'normal'});
  progress.show(stamped({type: 'phase.changed', phase: 'a'.repeat(60)}));
  stderr.columns = 30;
  stderr.read();
  progress.note('next');
  expect(String(stderr.read())).toContain('\r\u001b[A\u001b[A\u001b[Jnext\n');
  progress.close();
});

test('the lack of a working model is reported even with -q, in a sentence', () => {
  const offline: Report = {
    type: 'warning',
    message:
      'No model is configured: using the built-in offline model (rules only). Set ANTHROPIC_API_KEY.',
  };
  expect(linesOf(offline, {level: 'quiet', width: 200})).toEqual([
    'warning: No model is configured: using the built-in offline model (rules only)',
  ]);
  expect(linesOf({type: 'warning', message: 'other'}, {level: 'quiet'})).toEqual([]);
});

test.each([
  [0, 80],
  [5, 20],
  [100, 100],
  [undefined, 200],
])('a screen of %s columns counts as %i wide', (columns, width) => {
  const output = new PassThrough();
  expect(widthOf(columns === undefined ? output : Object.assign(output, {columns}))).toBe(width);
});

test('the line of a command names what confines it, at any length', () => {
  const command = `run_command ${'x'.repeat(200)}`;
  const called = {type: 'tool.called', tool: 'run_command', summary: command} as const;
  const [line = ''] = linesOf({...called, confinement: 'none'});
  expect(line).toMatch(/^ {4}run_command x+… \(unconfined\)$/);
  expect(linesOf({...called, confinement: 'landlock'})[0]).toMatch(/x+… \(landlock\)$/);
});

test('some of many files that a command changes are shown, and the others counted', () => {
  const changes = Array.from({length: 8}, (_, index) => ({
    path: `f${index}`,
    added: 1,
    removed: 0,
  }));
  const changeLines = (level: Screen['level']): string =>
    linesOf({...write, tool: 'run_command', changes}, {level}).join('\n');
  expect(changeLines('normal').match(/f\d \+1/g)).toHaveLength(5);
  expect(changeLines('normal')).toMatch(/\n {4}\[3 more files\]$/);
  expect(changeLines('verbose').match(/f\d \+1/g)).toHaveLength(8);
});

test('a call is shown in the words of its tool, and raw with -v', () => {
  const searched: Report = {
    type: 'tool.called',
    tool: 'grep_search',
    summary: 'grep_search (?<!x)cart',
    words: 'searches the files for a pattern',
  };
  expect(linesOf(searched)).toEqual(['    searches the files for a pattern']);
  expect(linesOf(searched, {level: 'verbose'})).toEqual(['    grep_search (?<!x)cart']);
});

const seats = ['policy/safety', 'policy/scope', 'policy/evidence'];

const contained = 'it runs confined and can be undone: "frobnicate": no known program';

const round: ReviewRound = {
  ...baseRound,
  kind: 'action',
  title: 'run_command frobnicate',
  rule: 'unanimous',
  seats,
  participation: {cast: 3, required: 2},
  verdict: 'approved',
  approved: true,
  votes: seats.map((model) => ({
    model,
    approved: true,
    verdict: 'approve',
    reasoning: contained,
    reasons: [contained],
    confidence: 0.7,
  })),
  summary: '[●●●]',
};

test('an approval of a command because it is contained gives its reason once', () => {
  expect(linesOf({type: 'quorum.decided', ...round}, {width: 200})).toEqual([
    '  action "run_command frobnicate", round 1: APPROVED [●●●]',
    `    └─ policy/safety, policy/scope, policy/evidence: ${contained}`,
  ]);
  const verbose = linesOf({type: 'quorum.decided', ...round}, {width: 200, level: 'verbose'});
  expect(verbose.join('\n').split('runs confined')).toHaveLength(2);
  expect(resultLines({...baseResult, reviews: [round]}, {style: plainStyle, width: 200})).toContain(
    `    └─ policy/safety, policy/scope, policy/evidence: ${contained}`,
  );
});

const npmCalled: Report = {type: 'tool.called', tool: 'run_command', summary: 'npm install'};

function follow(level: Level) {
  const stderr = new PassThrough();
  const progress = createProgress(createSurface({stderr, env: {}}), {level});
  for (const report of [{type: 'phase.changed', phase: 'executing'} as const, npmCalled]) {
    progress.show({...report, seq: 1, at: 0, interaction: 'i', actor: ''});
  }
  return {progress, read: () => String(stderr.read() ?? '')};
}

describe('a command without output for a long time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('after every 30 seconds without a line, one reports how long the run has been at work', () => {
    const {progress, read} = follow('normal');
    expect(read()).toBe('▸ executing\n    run_command npm install\n');
    vi.advanceTimersByTime(29_000);
    progress.note('a line');
    vi.advanceTimersByTime(29_000);
    expect(read()).toBe('a line\n');
    vi.advanceTimersByTime(31_000);
    expect(read()).toBe(
      '  still at work: executing · 59 s\n  still at work: executing · 1 min 29 s\n',
    );
    progress.close();
    vi.advanceTimersByTime(60_000);
    expect(read()).toBe('');
  });

  test('with -q nothing is printed meanwhile', () => {
    const {progress, read} = follow('quiet');
    vi.advanceTimersByTime(120_000);
    expect(read()).toBe('');
    progress.close();
  });
});
