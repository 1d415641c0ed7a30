/** Tasks of many turns, with real commands and as recorded of a coding agent. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';

import {beforeEach, describe, expect, test} from 'vitest';
import {z} from 'zod';

import type {ConfigInput} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {estimateTokens} from '../../machines/domain/text-limits.ts';
import {billedText, type Message} from '../../machines/prompts/transcript.ts';
import {defineTool} from '../../tools/index.ts';
import {turnOf} from '../support/asking.ts';
import {sampled} from '../support/depth.ts';
import {answer, reply} from '../support/scenario.ts';
import {folderWith, putFiles, setStage} from '../support/stage.ts';

let folder: string;

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

const firstEdit = reply('edit_file', {path: 'a.txt', old_text: 'two', new_text: '2'});

/** The message with which a worker begins. */
function firstOf({transcript}: ModelRequest): string {
  return transcript.messages[0]?.text ?? '';
}

/** Reads, changes a.txt in its tenth turn, and never answers. */
function endless(turn: number): ModelOutcome {
  if (turn === 1) return reply('read_file', {path: 'a.txt'});
  return turn === 10 ? firstEdit : reply('grep_search', {pattern: `word${turn}`});
}

const wrong = 'export const half = (x) => x / 3;\n';

const right = 'export const half = (x) => x / 2;\n';

const runCommand = (line: string) => reply('run_command', {command: line});

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

describe('with real commands', () => {
  beforeEach(() => {
    folder = folderWith({'a.txt': 'one\ntwo\nthree\n'});
  });

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
      const result = await fix([[read, runCommand(before), mend, runCommand(after)]]);
      expect(result).toMatchObject({status: 'completed', exitCode: 0});
      expect(result.tasks).toMatchObject([
        {
          id: 'fix0',
          status: 'succeeded',
          calls: [{}, {status: 'failed'}, {}, {status: 'succeeded'}],
        },
      ]);
    });

    test('the tests fail, and the redo only reads: not completed', async () => {
      const result = await fix([[read, runCommand('npm test')], [read]], 'Already fixed.');
      expect(result).toMatchObject({status: 'failed', exitCode: 1});
      expect(result.summary).toMatch(/the last run of the tests failed \(npm test, exit code 1\)/);
      expect(readFileSync(join(folder, 'half.js'), 'utf8')).toBe(wrong);
    });
  });
});

/** Program, characters of the command, characters of the output, exit code; none: it was ended at its time limit. */
const recordedCall = z.tuple([z.string(), z.number(), z.number(), z.number().nullable()]);
const recordedRun = z.object({
  run: z.string(),
  turns: z.array(z.tuple([z.number(), recordedCall])),
});
type RecordedRun = z.infer<typeof recordedRun>;

const fixture = join(import.meta.dirname, '../fixtures/trajectories.jsonl.gz');
const runs = gunzipSync(readFileSync(fixture))
  .toString()
  .trim()
  .split('\n')
  .map((line) => recordedRun.parse(JSON.parse(line)));

/** Lines of about the length of code. */
function textOf(length: number, seed: number): string {
  const line = (at: number) => `${seed}.${at} const value = compute(first, second);\n`;
  const lines = Array.from({length: Math.ceil(length / 30)}, (_, at) => line(at));
  return lines.join('').slice(0, Math.max(0, length - 1)) + (length > 0 ? '\n' : '');
}

/** A shell that prints what was recorded. */
function recordedShell({turns}: RecordedRun) {
  return defineTool({
    name: 'shell',
    description: 'Run a shell command.',
    parameters: z.strictObject({command: z.string().describe('The command.')}),
    reaches: 'workspace',
    quotes: true,
    risk: 'low',
    repeatability: 'repeatable',
    runs: {argument: 'command', language: 'shell'},
    run: async ({command}) => {
      if (command === 'npm test') {
        return await Promise.resolve({kind: 'succeeded', text: 'ok 1', exitCode: 0});
      }
      const at = Number(/ #(\d+)/.exec(command)?.[1]);
      const [, , length, exitCode] = turns[at]?.[1] ?? ['', 0, 0, 0];
      const text = textOf(length, at);
      if (exitCode === 0) return {kind: 'succeeded', text, exitCode};
      if (exitCode === null) return {kind: 'failed', code: 'timeout', message: 'too long', text};
      const message = `the command exited with code ${exitCode}`;
      return {kind: 'failed', code: 'exit_nonzero', message, text, exitCode};
    },
  });
}

/** The worker's calls by turn: those of the record, an edit, a check. */
function callsOf({turns}: RecordedRun): readonly {name: string; args: Record<string, unknown>}[] {
  const edit = {old_text: 'one', new_text: '1'};
  return [
    ...turns.map(([, [program, length]], at) => ({
      name: 'shell',
      args: {command: `${program} #${at} `.padEnd(length, 'abc def ')},
    })),
    {name: 'read_file', args: {path: 'a.txt'}},
    {name: 'edit_file', args: {path: 'a.txt', edits: [edit]}},
    {name: 'shell', args: {command: 'npm test'}},
  ];
}

const measured = new WeakMap<Message, number>();

function tokensOf({system, transcript}: ModelRequest): number {
  const each = transcript.messages.map((message) => {
    const tokens = measured.get(message) ?? estimateTokens(billedText(message));
    measured.set(message, tokens);
    return tokens;
  });
  return each.reduce((sum, tokens) => sum + tokens, estimateTokens(system));
}

interface Played {
  readonly status: string;
  readonly tasks: number;
  readonly turns: number;
  readonly largest: number;
  readonly edited: boolean;
  /** Of the first and of the last quarter of the turns. */
  readonly msPerTurn: readonly [number, number];
}

async function play(recorded: RecordedRun, window: number): Promise<Played> {
  const calls = callsOf(recorded);
  const sizes: number[] = [];
  const times: number[] = [];
  let turn = 0;
  const work = (request: ModelRequest): ModelOutcome => {
    sizes.push(tokensOf(request));
    times.push(performance.now());
    const call = calls[turn];
    const [length = 0] = recorded.turns[turn] ?? [];
    turn += 1;
    if (!call) return answer('Changed a.txt; npm test passes.');
    const called = reply(call.name, call.args);
    return called.kind === 'ok' ? {...called, text: textOf(length, turn)} : called;
  };
  const {run, text} = setStage({
    files: {'a.txt': 'one\ntwo\n'},
    tasks: [{id: 'fix', description: 'Change a.txt'}],
    say: (request) => (request.purpose === 'act' ? work(request) : undefined),
    config: {
      agent: {
        review_models: ['policy/safety', 'policy/scope', 'policy/evidence'],
        max_tool_turns: calls.length + 1,
      },
      limits: {max_model_calls: calls.length + 20},
      providers: {t: {base_url: 'http://127.0.0.1:9/v1', context_window: window}},
    },
    tools: [recordedShell(recorded)],
  });
  const result = await run('Change one to 1 in a.txt and run npm test');
  const quarter = Math.floor(times.length / 4);
  const pace = (from: number) => ((times[from + quarter] ?? 0) - (times[from] ?? 0)) / quarter;
  return {
    status: result.status,
    tasks: result.tasks?.length ?? 0,
    turns: turn,
    largest: Math.max(...sizes),
    edited: text('a.txt') === '1\ntwo\n',
    msPerTurn: [pace(0), pace(times.length - quarter - 1)],
  };
}

/** Every tenth in a usual search. */
const played = sampled(runs, 10);

describe.each(sampled([32_000, 128_000, 200_000], 3))('with a window of %i tokens', (window) => {
  test('recorded tasks end in one task, and no request exceeds the window', async () => {
    const heap: number[] = [];
    const results: Played[] = [];
    for (const recorded of played) {
      results.push(await play(recorded, window));
      heap.push(process.memoryUsage().heapUsed);
    }
    const good = results.filter(
      ({status, tasks, edited}) => status === 'completed' && tasks === 1 && edited,
    );
    const mean = (of: (each: Played) => number) =>
      results.reduce((sum, each) => sum + of(each), 0) / results.length;
    process.stdout.write(
      `window ${window}: ${good.length} of ${results.length} ended as they should; ` +
        `${mean(({turns}) => turns).toFixed(0)} turns in the mean; ` +
        `largest request ${Math.max(...results.map(({largest}) => largest))} tokens; ` +
        `ms per turn ${mean(({msPerTurn}) => msPerTurn[0]).toFixed(2)} at the beginning, ${mean(({msPerTurn}) => msPerTurn[1]).toFixed(2)} at the end; ` +
        `heap ${Math.round(Math.max(...heap) / 2 ** 20)} MB at most\n`,
    );
    expect(results.filter((each) => !good.includes(each))).toEqual([]);
    expect(results.filter(({largest}) => largest > window)).toEqual([]);
    // The recorded turns, and an edit and a check after reading the file, and the report.
    expect(results.map(({turns}) => turns)).toEqual(played.map(({turns}) => turns.length + 4));
  }, 600_000);
});
