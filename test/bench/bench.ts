/** Prints figures, asserts nothing: start-up, engine overhead a turn, bytes a turn, time to resume, calculator, search. */

import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {z} from 'zod';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  createSqliteJournal,
  type Journal,
} from '../../actors/runtime.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {defineTool} from '../../tools/index.ts';
import {measureCalculator} from './calculator.ts';
import {measureSearch} from './search.ts';

const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

function reply(
  calls: readonly {name: string; args: Record<string, string | number>}[],
  text = '',
): ModelOutcome {
  return {kind: 'ok', text, usage, calls: calls.map((call, index) => ({id: `c${index}`, ...call}))};
}

/** Plans one task, then calls a tool in each of `turns` turns, then answers. */
function worker(turns: number): (request: ModelRequest) => ModelOutcome {
  const tasks = [{id: 'work', description: 'count'}];
  return ({purpose, transcript}) => {
    if (purpose === 'plan') return reply([{name: 'create_plan', args: plan(tasks)}]);
    if (purpose === 'evaluate') return reply([{name: 'evaluate_result', args: verdict()}]);
    if (purpose === 'explore') return reply([], 'nothing to know');
    const turn = (transcript.messages.length - 1) / 2;
    return turn < turns ? reply([{name: 'tick', args: {turn}}]) : reply([], 'counted');
  };
}

function plan(tasks: readonly unknown[]): Record<string, never> {
  return JSON.parse(JSON.stringify({objective: 'count', reasoning: 'to measure', tasks}));
}

function verdict(): Record<string, never> {
  return JSON.parse(JSON.stringify({successful: true, problems: []}));
}

const tick = defineTool({
  name: 'tick',
  description: 'Does nothing.',
  parameters: z.strictObject({turn: z.number()}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async () => ({kind: 'succeeded', text: 'ok'}),
});

interface Measured {
  readonly cpuUs: number;
  readonly id: string;
}

async function measure(turns: number, journal: Journal, workspace: string): Promise<Measured> {
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'bench/worker',
        decision_model: 'bench/worker',
        review_models: ['policy/safety'],
        max_tool_turns: turns + 1,
      },
      limits: {max_model_calls: turns + 10},
    },
    models: [createFunctionModel('bench/worker', worker(turns))],
    tools: [tick],
    journal,
    env: {},
  });
  const before = process.cpuUsage();
  const run = runtime.start({form: 'agent', request: 'count', workspace});
  const result = await run.result;
  const {user, system} = process.cpuUsage(before);
  if (result.status !== 'completed')
    throw new Error(`the bench's run ${result.status}: ${result.summary}`);
  return {cpuUs: user + system, id: run.id};
}

/** The floor: the same calls with promises only, no engine, no journal. */
async function bareLoop(turns: number): Promise<number> {
  const answer = worker(turns);
  const messages: {role: 'user'; text: string}[] = [{role: 'user', text: 'count'}];
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) {
    const request: ModelRequest = {
      purpose: 'act',
      model: 'bench/worker',
      system: '',
      transcript: {messages, digest: ''},
      tools: ['tick'],
      toolChoice: 'auto',
      maxOutputTokens: 1,
    };
    const outcome = await Promise.resolve(answer(request));
    if (outcome.kind !== 'ok') throw new Error('the bare loop failed');
    messages.push(
      {role: 'user', text: outcome.text},
      {role: 'user', text: await Promise.resolve('ok')},
    );
  }
  const {user, system} = process.cpuUsage(before);
  return user + system;
}

/** Runs before anything is measured: the figures are those of code that the engine of JavaScript has compiled. */
const warmUps = 20;

/** The best of several: what the machine's noise lets through. */
async function best(times: number, once: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < times; round += 1) least = Math.min(least, await once());
  return least;
}

/** µs of CPU a turn: the difference of two runs, so that what a run costs besides its turns falls out. */
async function perTurn(
  turns: number,
  createJournal: () => Journal,
  workspace: string,
): Promise<number> {
  const cost = async (count: number): Promise<number> =>
    await best(15, async () => (await measure(count, createJournal(), workspace)).cpuUs);
  return ((await cost(turns * 2)) - (await cost(turns))) / turns;
}

function durableAppend(folder: string): number {
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE e (n INTEGER PRIMARY KEY, t TEXT)',
  );
  const insert = database.prepare('INSERT INTO e (t) VALUES (?)');
  const text = 'x'.repeat(300);
  const append = (): void => {
    database.exec('BEGIN');
    insert.run(text);
    database.exec('COMMIT');
  };
  for (let index = 0; index < 50; index += 1) append();
  const count = 500;
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) append();
  const {user, system} = process.cpuUsage(before);
  database.close();
  return (user + system) / count;
}

function startMs(...args: readonly string[]): number {
  const times = Array.from({length: 10}, () => {
    const before = performance.now();
    spawnSync(process.execPath, [...args], {stdio: 'ignore'});
    return performance.now() - before;
  });
  return Math.min(...times);
}

/** The package as it is installed, and beside it the sources, which Node has to strip of their types at each start. */
function measureStart(folder: string): void {
  const {status} = spawnSync('npm', ['run', 'build'], {stdio: 'ignore'});
  if (status !== 0) throw new Error('the build failed');
  const oneLine = join(folder, 'one-line.ts');
  writeFileSync(oneLine, 'export const nothing: number = 0;');
  const bare = startMs('-e', '0');
  line('start of bare node', bare, 'ms');
  for (const bin of ['dist/cli/bin.js', 'cli/bin.ts']) {
    for (const flag of ['--version', '--help']) {
      const ms = startMs(bin, flag);
      line(`start of ${bin} ${flag}`, ms, `ms (${(ms / bare).toFixed(2)} x bare node)`);
    }
  }
  const floor = startMs(oneLine);
  line('start of a TypeScript file of one line', floor, `ms (${(floor / bare).toFixed(2)} x bare)`);
}

function line(label: string, value: number, unit: string): void {
  process.stdout.write(`${label.padEnd(62)} ${value.toFixed(1).padStart(9)} ${unit}\n`);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  let files = 0;
  const createSqlite = (): Journal => {
    files += 1;
    return createSqliteJournal(join(folder, `${files}`, 'journal.db'));
  };
  measureStart(folder);
  const append = durableAppend(folder);
  line('one bare durable append (SQLite, WAL, FULL), CPU', append, 'µs');
  await best(warmUps, async () => (await measure(200, createMemoryJournal(), folder)).cpuUs);
  for (const turns of [50, 200]) {
    line(
      `bare loop, ${turns} turns`,
      (await best(15, async () => await bareLoop(turns))) / turns,
      'µs a turn',
    );
    line(
      `engine, memory journal, ${turns} turns`,
      await perTurn(turns, createMemoryJournal, folder),
      'µs CPU a turn',
    );
    line(
      `engine, SQLite journal, ${turns} turns`,
      await perTurn(turns, createSqlite, folder),
      'µs CPU a turn',
    );
  }
  await measureResume(folder);
  for (const {label, value} of measureCalculator()) line(label, value, 'µs a call');
  for (const {label, value, unit} of await measureSearch()) line(label, value, unit);
  rmSync(folder, {recursive: true});
}

/** A run of 200 turns whose last entry is missing, so that it is open: bytes a turn, and the time to stand again. */
async function measureResume(workspace: string): Promise<void> {
  const turns = 200;
  const full = createMemoryJournal();
  const {id} = await measure(turns, full, workspace);
  const entries = full.log.read(id);
  const bytes = entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
  line(`journal, ${turns} turns`, bytes / turns, 'bytes a turn');
  const cut = createMemoryJournal();
  for (const {seq: _, at, hash: __, ...body} of entries.slice(0, -2)) {
    cut.log.append([{interaction: id, bodies: [body], at}]);
  }
  const runtime = createRuntime({
    models: [createFunctionModel('bench/worker', worker(turns))],
    tools: [tick],
    journal: cut,
    env: {},
  });
  const before = performance.now();
  const run = await runtime.resume(id);
  line(`resume of a run of ${turns} turns`, performance.now() - before, 'ms');
  await run.result;
}

await main();
