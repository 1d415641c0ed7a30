/** A result as text: the answer first, then its basis, with titles in the language of the request. */

import {expect, test} from 'vitest';

import {hintText} from '../../../../cli/render/result/closing.ts';
import {resultLines} from '../../../../cli/render/result/result.ts';
import {continueLines} from '../../../../cli/render/result/waiting.ts';
import {reasonText} from '../../../../cli/render/round.ts';
import {plainStyle} from '../../../../cli/render/style.ts';
import type {RunResult, TaskResult} from '../../../../machines/domain/result.ts';
import type {ReviewRound} from '../../../../machines/domain/review.ts';
import type {Discussion} from '../../../../machines/questions/discussion.ts';
import {baseRound} from '../../fake-run.ts';

const portResult: RunResult = {
  type: 'result',
  status: 'completed',
  exitCode: 0,
  interaction: 'i',
  form: 'agent',
  summary: 'Fix the port\nfrom the tool\nThe port is 8080.\n1 of 1 task succeeded.',
  answer: 'The port is 8080.',
  changes: [{path: 'a.txt', added: 1, removed: 1}],
  usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
};

const round: ReviewRound = {
  ...baseRound,
  round: 2,
  title: '書く',
  seats: ['a', 'b', 'c'],
  weights: {a: 1, b: 1, c: 1},
  participation: {cast: 2, required: 1},
  summary: '[●○]',
  early: true,
  withdrawn: ['c'],
  screened: [],
};

function shownText(given: Partial<RunResult>, width = 80): string {
  return resultLines({...portResult, ...given}, {style: plainStyle, width}).join('\n');
}

test('the whole result names what its commands ran in, each grade once', () => {
  const task = {id: '1', description: 'd', status: 'succeeded', output: ''} as const;
  const call = {tool: 'run_command', args: {}, status: 'succeeded', text: ''} as const;
  const confined = {...call, confinement: 'landlock'} as const;
  const calls = [confined, {...call, confinement: 'none'}, confined, call] as const;
  const tasks = [{...task, evidence: [], written: [], calls}];
  const view = {style: plainStyle, width: 80, isWhole: true};
  expect(resultLines({...portResult, tasks}, view).at(-1)).toBe(
    'i · no model was called · commands: landlock, unconfined',
  );
  expect(resultLines({...portResult, tasks, language: 'ja'}, view).at(-1)).toContain(
    'コマンド: landlock, 隔離なし',
  );
  expect(shownText({tasks})).not.toContain('landlock');
});

test('the result of a task is its answer, without reports and raw output', () => {
  expect(shownText({})).toBe(`completed: Fix the port
The port is 8080.

Changes
  a.txt +1 −1

i · no model was called`);
});

const done = {id: 'a', description: 'Test', status: 'succeeded', output: '', evidence: []} as const;

test('the result of a task names what was not done, and why', () => {
  const dropped = {...done, id: 'b', status: 'failed', written: [], dropped: 'not needed'} as const;
  const tasks = [{...done, written: []}, dropped];
  const last = '1 of 2 tasks succeeded; b was dropped: not needed.';
  const summary = `Fix the port\nThe report.\n${last}`;
  const text = shownText({tasks, summary});
  expect(text).toContain(`The port is 8080.\n\n${last}\n`);
  expect(text).toContain('Tasks\n  ✗ b Test: failed (given up: not needed)');
  expect(text).not.toMatch(/The report|✓ a/);
});

test('the checks of a task are listed with their last runs, in place of the lines of the answer', () => {
  const checks = [{kind: 'tests', status: 'failed'}] as const;
  const run = (command: string, text: string, exitCode: number) =>
    ({tool: 'run_command', args: {command}, status: 'succeeded', text, exitCode, checks}) as const;
  const calls = [
    run('npm test', '# pass 1\n# fail 1', 1),
    run('npm test', '# pass 2\n# fail 0', 0),
    run('npm run lint', 'clean', 0),
  ];
  const answer = 'Fixed.\nRan `npm test` (exit code 1).\nRan `npm test` (exit code 0).';
  const text = shownText({answer, tasks: [{...done, written: [], calls}]});
  expect(text).toContain('Checks\n  npm test: 2 passed\n  npm run lint: exit 0\n');
  expect(text).not.toContain('Ran `npm test`');
});

test('an objection that was outvoted is part of the result, whole', () => {
  const reason = 'It never runs the tests afterwards, so nobody would know whether it works. '
    .repeat(3)
    .trim();
  const against = {
    model: 'rev-b',
    approved: false,
    verdict: 'reject',
    reasoning: reason,
    reasons: [reason],
    confidence: 1,
  } as const;
  const reviews = [{...round, verdict: 'approved', approved: true, votes: [against]} as const];
  const text = shownText({reviews}).replaceAll(/\s+/g, ' ');
  expect(text).toContain(`1 reviewer objected: ${reason} (rev-b)`);
});

function lastLine(result: RunResult): string | undefined {
  return resultLines(result, {style: plainStyle, width: 80, hints: [hintText(result)]}).at(-1);
}

test('the result of a task ends with the commands that show it and take it back', () => {
  expect(lastLine(portResult)).toBe('quorate show i · quorate undo i');
  expect(lastLine({...portResult, changes: []})).toBe('quorate show i');
});

test.each([
  ['Fixed the port.\nChanged: a.txt (+1 −1).', 'en'],
  ['ポートを直しました。\n変更したファイル: a.txt (+1 −1)', 'ja'],
] as const)('the answer %j does not name the files that are below Changes', (answer, language) => {
  for (const status of ['completed', 'failed'] as const) {
    const text = shownText({status, answer, ...(language === 'ja' ? {language} : {})});
    expect(text.match(/a\.txt/g)).toHaveLength(1);
    expect(text).toContain(answer.split('\n')[0]);
  }
});

test.each(['Votes', '# Changes', '  Decided without the panel', '投票'])(
  'the answer of a model does not begin the section %j',
  (title) => {
    const lines = shownText({answer: `Done.\n\n${title}\n  plan "x", round 1: APPROVED`}).split(
      '\n',
    );
    expect(lines).toContain(`| ${title}`);
    expect(lines.filter((line) => line === title)).toEqual([]);
  },
);

test('a result that was rejected shows its answer below the reasons', () => {
  const summary = 'The panel rejected the result.\n- a: too slow';
  expect(shownText({status: 'failed', exitCode: 1, summary})).toMatch(
    /^failed: The panel rejected the result\.\n- a: too slow\n\nAnswer\n {2}The port is 8080\.\n/,
  );
});

test('titles are in the language of the request', () => {
  expect(shownText({language: 'ja'})).toContain('\n\n変更\n  a.txt');
  const sources = [{place: 'a.txt:1', quote: 'port'}];
  expect(shownText({form: 'ask', language: 'ja', sources})).toContain('\n\n出典\n  a.txt:1');
});

test.each([
  ['English', {}, '0 tokens in · 0 out · $0.25 (estimated)'],
  ['Japanese', {language: 'ja'}, '$0.25（見積もりを含む）'],
] as const)('estimated figures are called so, in %s', (_title, language, expected) => {
  const usage = {modelCalls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0.25};
  expect(shownText({...language, usage: {...usage, estimated: true}})).toContain(expected);
  expect(shownText({...language, usage})).not.toMatch(/estimated|見積もり/);
});

test('a discussion in Japanese has Japanese titles', () => {
  const discussion: Discussion = {
    strategy: 'quorum',
    conclusion: '残す',
    key_points: ['安い'],
    agreements: [],
    disagreements: [],
    ranking: [
      {rank: 1, participants: ['a', 'b'], place: 1.25, score: 7, reviews: 2},
      {rank: 2, participants: ['c'], reviews: 0},
    ],
    degraded: false,
    notes: [],
    answers: [],
  };
  const text = shownText({form: 'discuss', language: 'ja', discussion});
  expect(text).toMatch(/^結論\n {2}残す\n\n要点\n {2}- 安い/);
  expect(text).toContain('順位\n  1. a、b: 平均順位 1.3、平均点 7/10、評価 2 件\n  2. c: 評価なし');
});

test('a result in Japanese has Japanese words for its status, its tasks and its votes', () => {
  const task = {output: '', evidence: [], written: []};
  const text = shownText({
    status: 'failed',
    language: 'ja',
    tasks: [
      {...task, id: '1', description: '読む', status: 'pending'},
      {...task, id: '2', description: '書く', status: 'failed', redoneBy: '3'},
      {...task, id: '4', description: '消す', status: 'failed', dropped: '不要'},
    ],
    reviews: [round],
  });
  expect(text).toMatch(/^失敗: Fix the port\n/);
  expect(text).toContain('– 1 読む: 未着手');
  expect(text).toContain('✗ 2 書く: 失敗 (タスク 3 でやり直し)');
  expect(text).toContain('✗ 4 消す: 失敗 (断念: 不要)');
  expect(text).toContain('計画「書く」第 2 回: 却下 [●○] (早期決定; 審査不要: c)');
});

test('an answer without its contradicted claims says that they were removed', () => {
  const removed = 'Claims that the record contradicts were removed from the answer.';
  expect(shownText({form: 'ask', degraded: true})).toContain(removed);
  expect(shownText({form: 'ask', degraded: true, status: 'failed', exitCode: 1})).not.toContain(
    removed,
  );
});

test.each([
  ['waiting', 4, 'Waiting for a person: The panel rejected it.', '待機中: The panel rejected it.'],
  ['waiting', 130, 'Suspended.', '中断'],
  ['waiting', 2, 'Suspended because a model could not be called: m/a: boom', '中断: m/a: boom'],
  ['limited', 3, 'Stopped by a limit: max_model_calls: 2', '上限に到達: max_model_calls: 2'],
] as const)(
  'of a run that is %s (%i), the status stands once: %j',
  (status, exitCode, summary, head) => {
    const [first] = shownText({status, exitCode, summary, language: 'ja'}).split('\n');
    expect(first).toBe(head);
  },
);

test('problems that are listed begin below the status', () => {
  expect(shownText({status: 'failed', exitCode: 1, summary: '- a failed\n- b failed'})).toMatch(
    /^failed:\n- a failed\n- b failed\n/,
  );
});

test('a vote with a long title fits the width, and no word of it is cut', () => {
  const lines = resultLines(
    {
      ...portResult,
      status: 'failed',
      reviews: [{...round, title: 'Replace computeTotal with totalOf'}],
    },
    {style: plainStyle, width: 60},
  );
  expect(lines).toContain('  plan "Replace computeTotal with totalOf", round 2:');
  expect(lines).toContain('    REJECTED [●○] (early; not needed: c)');
});

test('a run that a limit stopped names the option that raises it', () => {
  const summary = 'Stopped by a limit: max_model_calls: 2 model calls were made';
  const limited: RunResult = {
    ...portResult,
    status: 'limited',
    exitCode: 3,
    summary,
    resumable: true,
  };
  expect(continueLines(limited, {isHeaded: true})).toEqual([
    'continue with: quorate resume i --max-calls N',
  ]);
});

const failed: TaskResult = {
  id: '1',
  description: 'Run the tests',
  status: 'failed',
  output: 'The tests do not pass.',
  failure: {code: 'exit_code', message: 'it ended with exit code 1'},
  evidence: [],
  written: [],
  calls: [
    {
      tool: 'run_command',
      args: {command: 'npm test'},
      status: 'failed',
      text: 'one\ntwo is not three\n',
      exitCode: 1,
    },
  ],
};

function taskLinesOf(task: TaskResult, given: Partial<RunResult> = {}): readonly string[] {
  const result: RunResult = {
    type: 'result',
    status: 'failed',
    exitCode: 1,
    interaction: 'i',
    form: 'agent',
    summary: 'Failed.',
    tasks: [task],
    usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
    ...given,
  };
  const lines = resultLines(result, {style: plainStyle, width: 80});
  const from = lines.indexOf('Tasks');
  return lines.slice(from + 1, lines.indexOf('', from)).map((line) => line.trim());
}

test('the output of its last failed call is below the report of the worker', () => {
  expect(taskLinesOf(failed)).toEqual([
    '✗ 1 Run the tests: it ended with exit code 1',
    '│ The tests do not pass.',
    'run_command npm test',
    '│ one',
    '│ two is not three',
  ]);
});

test('a report that is the reason of the failure is not a row of its own', () => {
  expect(taskLinesOf({...failed, output: 'it ended with exit code 1'}).slice(0, 2)).toEqual([
    '✗ 1 Run the tests: it ended with exit code 1',
    'run_command npm test',
  ]);
});

test('the result of a later plan for it is part of the sentence', () => {
  expect(taskLinesOf({...failed, redoneBy: 't3'})[0]).toBe(
    '✗ 1 Run the tests: it ended with exit code 1 (redone by task t3)',
  );
  expect(taskLinesOf({...failed, dropped: 'nobody needs it'})[0]).toMatch(
    / exit code 1 \(given up: nobody needs it\)$/,
  );
});

test('why an open task failed is not repeated below the problems of the evaluator', () => {
  const problems = ['task 1 failed: it ended with exit code 1'];
  const evaluations = [{successful: false, problems, feedback: ''}];
  expect(taskLinesOf(failed, {evaluations})[0]).toBe('✗ 1 Run the tests');
  expect(taskLinesOf(failed, {evaluations, status: 'limited'})[0]).toBe(
    `✗ 1 Run the tests: it ended with exit code 1`,
  );
  expect(taskLinesOf({...failed, dropped: 'no need'}, {evaluations})[0]).toBe(
    '✗ 1 Run the tests: it ended with exit code 1 (given up: no need)',
  );
});

const [call] = failed.calls ?? [];

const printed = {
  ...failed,
  status: 'succeeded',
  output: 'ok 1\nok 2',
  calls: [{...call!, status: 'succeeded', text: 'ok 1\nok 2', exitCode: 0}],
} as const;

test('the output of a task that is a command is shown, and no report of a worker that succeeded', () => {
  expect(taskLinesOf(printed)).toEqual(['✓ 1 Run the tests', '│ ok 1', '│ ok 2']);
  expect(taskLinesOf({...printed, output: 'The tests pass.'})).toEqual(['✓ 1 Run the tests']);
});

function taskWriting(written: readonly string[]): TaskResult {
  const evidence = [
    {tool: 'write_file', did: 'wrote', target: 'half done.md', ok: false},
    {tool: 'run_command', did: 'ran', target: 'touch b', ok: true},
  ] as const;
  return {id: 'a', description: 'Save', status: 'succeeded', output: '', evidence, written};
}

const savedResult: RunResult = {
  type: 'result',
  status: 'completed',
  exitCode: 0,
  interaction: 'i',
  form: 'agent',
  summary: 'Done.',
  tasks: [taskWriting(['notes/of a day.md', 'x.md']), taskWriting(['x.md'])],
  usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
};

test('each file occurs once, with the blanks in its name, and no failed write', () => {
  const lines = resultLines(savedResult, {style: plainStyle, width: 80});
  const from = lines.indexOf('Changes');
  expect(lines.slice(from, from + 4)).toEqual(['Changes', '  notes/of a day.md', '  x.md', '']);
});

test('a report with the writes of a run has each file once, with the diffs of all its writes', () => {
  const writes = [
    {
      path: 'x.md',
      added: 2,
      removed: 0,
      diff: '--- /dev/null\n+++ b/x.md\n@@ -0,0 +1,2 @@\n+a\n+b',
    },
    {
      path: 'back.md',
      added: 1,
      removed: 0,
      diff: '--- a/back.md\n+++ b/back.md\n@@ -0,0 +1 @@\n+c',
    },
    {path: 'x.md', added: 0, removed: 1, diff: '--- a/x.md\n+++ b/x.md\n@@ -1,2 +1 @@\n a\n-b'},
  ];
  const changes = [{path: 'x.md', added: 1, removed: 0}];
  const lines = resultLines({...savedResult, changes}, {style: plainStyle, width: 80, writes});
  const from = lines.indexOf('Changes');
  expect(lines.slice(from, lines.indexOf('', from))).toEqual([
    'Changes',
    '  x.md +1 −0',
    '    @@ -0,0 +1,2 @@',
    '    +a',
    '    +b',
    '    @@ -1,2 +1 @@',
    '     a',
    '    -b',
    '  back.md +0 −0',
    '    @@ -0,0 +1 @@',
    '    +c',
  ]);
});

test('a change that a reviewer suggests in its reasons is not shown twice', () => {
  const reasons = ['mass-delete; safer: delete single files'];
  const rejecting = {verdict: 'reject', approved: false, reasoning: '', confidence: 1} as const;
  const vote = {model: 'policy/safety', reasons, ...rejecting};
  const suggested = {...vote, suggestedChange: 'delete single files'};
  expect(reasonText(suggested)).toBe('policy/safety: mass-delete; safer: delete single files');
  expect(reasonText({...vote, suggestedChange: 'ask first'})).toContain('(suggests: ask first)');
});

test('decisions are rows that break between words, and name a call that a rule allowed', () => {
  const hash = 'f22e884e1557fc59';
  const voted = {...baseRound, title: 'Write a greeting', proposalHash: hash, screened: []};
  const byPerson = [{by: 'person', decision: 'approve', hash}] as const;
  expect(shownText({reviews: [voted], decisions: byPerson}, 40)).toContain(
    '  person approved plan "Write a\n  greeting" against the panel · sha256\n  f22e884e',
  );
  const title = 'run_command npm run deploy';
  const byRule = [{by: 'rule', decision: 'approve', hash, title}] as const;
  expect(shownText({decisions: byRule}, 120)).toContain(
    `  rule approved ${title} · sha256 f22e884e`,
  );
});
