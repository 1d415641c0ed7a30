/** Tasks of many turns, with real commands: the turns left, the report at the limit, and what a later worker gets of it. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {turnOf} from '../support/asking.ts';
import {answer, reply} from '../support/scenario.ts';
import {folderWith, putFiles, setStage} from '../support/stage.ts';

let folder: string;

beforeEach(() => {
  folder = folderWith({'a.txt': 'one\ntwo\nthree\n'});
});

interface Worker {
  /** The reply of a worker in this turn, counted from 0. */
  readonly act: (turn: number, request: ModelRequest) => ModelOutcome;
  readonly report?: string;
  /** The tasks of each plan. */
  readonly plans: readonly (readonly object[])[];
}

async function runWith({act, report = '', plans}: Worker, agent: ConfigInput['agent'] = {}) {
  const stage = setStage({
    folder,
    say: (request) => {
      const {purpose} = request;
      const tasks = plans[stage.requests.filter((each) => each.purpose === 'plan').length - 1];
      if (purpose === 'plan')
        return reply('create_plan', {objective: 'Count', reasoning: 'so', tasks: tasks ?? []});
      if (purpose !== 'act') return purpose === 'close' ? answer('') : undefined;
      return request.toolChoice === 'none' ? answer(report) : act(turnOf(request), request);
    },
    config: {agent: {hil_mode: 'interactive', review_models: ['policy/safety'], ...agent}},
  });
  const result = await stage.run('Write the numbers in a.txt as digits');
  return {result, requests: stage.requests};
}

const edit = reply('edit_file', {path: 'a.txt', old_text: 'two', new_text: '2'});

/** The message with which a worker begins. */
function firstOf({transcript}: ModelRequest): string {
  return transcript.messages[0]?.text ?? '';
}

/** Reads, changes a.txt in its tenth turn, and never answers. */
function endless(turn: number): ModelOutcome {
  if (turn === 1) return reply('read_file', {path: 'a.txt'});
  return turn === 10 ? edit : reply('grep_search', {pattern: `word${turn}`});
}

test('a task has a hundred turns, and a run with a task that used them up is limited', async () => {
  const {result, requests} = await runWith(
    {
      act: endless,
      report: 'Line two is changed; three is left.',
      plans: [[{id: 'count', description: 'Count'}]],
    },
    {max_replans: 0},
  );
  expect(result).toMatchObject({
    status: 'limited',
    exitCode: 3,
    tasks: [{id: 'count', status: 'stopped', output: 'Line two is changed; three is left.'}],
  });
  expect(result.summary).toContain('Stopped by a limit: max_tool_turns: count used up 100 turns');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  const acting = requests.filter(({purpose}) => purpose === 'act');
  expect(acting).toHaveLength(101);
  const texts = acting.map(({transcript}) => transcript.messages.at(-1)?.text ?? '');
  expect(
    texts.flatMap((text) => /\[(\d+) turns? (?:is|are) left\.\]$/.exec(text)?.[1] ?? []),
  ).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(String));
  expect(acting.at(-1)).toMatchObject({toolChoice: 'none', tools: acting[0]?.tools});
  expect(texts.at(-1)).toContain('Report what is done, what is left');
  expect(JSON.stringify(requests)).not.toContain('max_turns');
});

test.each(['full', 'fresh'] as const)(
  'a later worker in mode %s continues the work of a stopped task, and the run completes',
  async (context_mode) => {
    const again = {id: 'again', description: 'Go on', redoes: ['count'], context_mode};
    const other = {id: 'other', description: 'Look around', context_mode};
    const {result, requests} = await runWith(
      {
        act: (turn, request) => {
          if (firstOf(request).includes('# Task\ncount')) return endless(turn);
          return turn === 0 ? reply('read_file', {path: 'a.txt'}) : answer('Counted.');
        },
        report: 'Line two is changed; three is left.',
        plans: [[{id: 'count', description: 'Count'}], [again, other]],
      },
      {max_tool_turns: 12},
    );
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.tasks).toMatchObject([
      {id: 'count', status: 'stopped', redoneBy: 'again'},
      {id: 'again', status: 'succeeded'},
      {id: 'other', status: 'succeeded'},
    ]);
    const promptOf = (id: string): string =>
      requests.map(firstOf).find((text) => text.includes(`# Task\n${id}:`)) ?? '';
    const handOver = [
      'Task count (stopped): "Count"',
      '> Line two is changed; three is left.',
      'Changed a.txt +1 −1:',
      '> -two',
      '- grep_search {"pattern":"word3"}: succeeded',
    ];
    for (const line of handOver) expect(promptOf('again')).toContain(line);
    expect(promptOf('other').includes('Line two is changed')).toBe(context_mode === 'full');
    const [, planning] = requests.filter(({purpose}) => purpose === 'plan');
    for (const line of handOver) expect(planning?.transcript.messages[0]?.text).toContain(line);
  },
);

const wrong = 'export const half = (x) => x / 3;\n';
const right = 'export const half = (x) => x / 2;\n';

const command = (line: string) => reply('run_command', {command: line});
const mend = reply('write_file', {path: 'half.js', content: right});
const read = reply('read_file', {path: 'half.js'});

/** A run in which the workers of the plans make these calls, and then report. The judge accepts everything. */
async function fix(
  steps: readonly (readonly ModelOutcome[])[],
  report = 'Fixed half of x.',
): Promise<RunResult> {
  const plans = steps.map((_, at) => {
    const redoes = at === 0 ? {} : {redoes: [`fix${at - 1}`]};
    return [{id: `fix${at}`, description: 'Fix half.js', ...redoes}];
  });
  const act = (turn: number, request: ModelRequest): ModelOutcome => {
    const [, at = ''] = /# Task\nfix(\d)/.exec(firstOf(request)) ?? [];
    return steps[Number(at)]?.[turn] ?? answer(report);
  };
  const agent = {review_models: ['t/a'], max_replans: steps.length - 1};
  return (await runWith({plans, act}, agent)).result;
}

describe('a failed command is a fact, not a verdict:', () => {
  beforeEach(() => {
    putFiles(folder, {
      'package.json': JSON.stringify({type: 'module', scripts: {test: 'node --test'}}),
      'half.js': wrong,
      'half.test.js': `import assert from 'node:assert';
  import {test} from 'node:test';
  import {half} from './half.js';
  test('half of ten', () => assert.equal(half(10), 5));
  test('half of two', () => assert.equal(half(2), 1));
  `,
    });
  });

  test.each([
    ['npm test', 'npm test'],
    ['grep -rn roundHalfUp .', 'npm test'],
    ['npm tset', 'npm test'],
    ['node --test --test-name-pattern=ten', 'npm test'],
    ['npm test', 'npm test 2>&1 | tail -5'],
  ])('%s fails, the file is fixed, %s passes: completed in one task', async (before, after) => {
    const result = await fix([[read, command(before), mend, command(after)]]);
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.tasks).toMatchObject([
      {
        id: 'fix0',
        status: 'succeeded',
        calls: [{}, {status: 'failed'}, {}, {status: 'succeeded'}],
      },
    ]);
  });

  test('three searches fail, also after the tests passed: completed in one task', async () => {
    const result = await fix([
      [
        read,
        command('grep -rn nothingHere half.js'),
        mend,
        command('npm test'),
        command('diff half.js half.test.js'),
        command('grep -rn TODO half.js'),
      ],
    ]);
    expect(result).toMatchObject({status: 'completed', tasks: [{status: 'succeeded'}]});
  });

  test.each([
    ['makes no call', []],
    ['only reads', [read]],
  ])('the tests fail, and the redo %s: not completed', async (_, again) => {
    const result = await fix([[read, command('npm test')], again], 'Already fixed.');
    expect(result).toMatchObject({status: 'failed', exitCode: 1});
    expect(result.summary).toMatch(
      again.length === 0
        ? /no call was made/
        : /the last run of the tests failed \(npm test, exit code 1\)/,
    );
    expect(readFileSync(join(folder, 'half.js'), 'utf8')).toBe(wrong);
  });

  test('the last run of the tests fails after a fix: not completed', async () => {
    const result = await fix([
      [read, command('npm test'), mend, command('echo x >> half.js; true'), command('npm test')],
    ]);
    expect(result).toMatchObject({
      status: 'failed',
      tasks: [{failure: {code: 'check_failed'}}],
    });
  });

  test('a worker that says "Not done" fails its task', async () => {
    const result = await fix([[read]], 'Not done: half.js is generated.');
    expect(result).toMatchObject({status: 'failed', tasks: [{failure: {code: 'not_done'}}]});
  });
});
