/**
 * Workers of two hosts on one journal, while processes are killed and stopped, connections are cut and the server restarts. In the
 * end every run must have ended, every command must have run once unless a person was asked, and every record must be sound.
 */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

import {Client} from 'pg';

import {createMemoryJournal, createRuntime} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../actors/journal/postgres/postgres.ts';
import {makePublicKey} from '../../actors/journal/signing-key.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {compiledCode, launcherProgram} from '../support/built.ts';
import {type Chooser, createChooser} from '../support/dice.ts';
import {type PostgresServer, startPostgres} from '../support/postgres.ts';

export interface ClusterOptions {
  /** How long there are faults. */
  readonly seconds: number;
  readonly runs: number;
  readonly seed: number;
  readonly print: (line: string) => void;
}

export interface ClusterReport {
  /** Each a violation, as a sentence. */
  readonly violations: readonly string[];
  readonly ended: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Runs in which a person was asked about a command in doubt. */
  readonly asked: number;
}

/** A machine: its data folder, and the folder in which its runs work. */
interface Site {
  readonly home: string;
  readonly folder: string;
  readonly hostId: string;
  readonly journal: Journal;
  readonly runtime: Runtime;
}

export async function runCluster(options: ClusterOptions): Promise<ClusterReport> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-cluster-')));
  const server = await startPostgres();
  const sites = await Promise.all(
    ['a', 'b'].map(async (name) => await openSite(join(place, name), server.url)),
  );
  // Two on one host, one on the other: its runs wait for it while it is away.
  const workers = await Promise.all(
    [sites[0], sites[0], sites[1]]
      .flatMap((site) => (site ? [new WorkerProcess(site, server)] : []))
      .map(async (worker) => {
        await worker.start();
        return worker;
      }),
  );
  try {
    return await live({...options, server, sites, workers});
  } finally {
    await Promise.all(workers.map(async (worker) => await worker.end()));
    await Promise.all(
      sites.map(async ({runtime, journal}) => {
        await runtime.close();
        await journal.close();
      }),
    );
    await server.remove();
    rmSync(place, {recursive: true, force: true});
  }
}

async function openSite(home: string, url: string): Promise<Site> {
  const folder = join(home, 'work');
  mkdirSync(folder, {recursive: true});
  const {id: hostId} = makePublicKey(join(home, 'data', 'keys'));
  const journal = await createPostgresJournal({url, host: hostId, patienceMs: 60_000});
  const {host} = createMemoryJournal();
  const runtime = createRuntime({journal, host: {...host, id: hostId}, env: {}});
  return {home, folder, hostId, journal, runtime};
}

/** `quorate worker`, started again when it was killed. */
class WorkerProcess {
  readonly #site: Site;
  readonly #server: PostgresServer;
  #child: ChildProcess | undefined;

  constructor(site: Site, server: PostgresServer) {
    this.#site = site;
    this.#server = server;
  }

  async start(): Promise<void> {
    const {home, folder} = this.#site;
    const args = ['worker', '--journal', this.#server.url, '--most', '6', '-q'];
    this.#child = spawn(process.execPath, [await launcherProgram(), ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        QUORATE_HOME: join(home, 'data'),
        NODE_COMPILE_CACHE: compiledCode(),
      },
      stdio: 'ignore',
    });
  }

  async kill(): Promise<void> {
    await this.#stop('SIGKILL');
    await this.start();
  }

  async pause(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP');
    await wait(ms);
    this.#child?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    await this.#stop('SIGKILL');
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

interface Living extends ClusterOptions {
  readonly server: PostgresServer;
  readonly sites: readonly Site[];
  readonly workers: readonly WorkerProcess[];
}

interface Begun {
  readonly id: string;
  readonly site: Site;
  /** Files to each of which the run appends one line. */
  readonly marks: readonly string[];
}

async function live(world: Living): Promise<ClusterReport> {
  const {seconds, print, sites} = world;
  const chooser = createChooser(world.seed);
  const faults = new Map<string, number>();
  const until = performance.now() + seconds * 1_000;
  const [begun] = await Promise.all([
    beginRuns(world, chooser, until),
    disturb(world, chooser, {until, faults}),
  ]);
  print(`${begun.length} runs begun, faults: ${JSON.stringify(Object.fromEntries(faults))}`);
  const asked = await settle(begun, performance.now() + 120_000);
  const rows = new Map((await sites[0]?.journal.log.list())?.map((row) => [row.id, row]));
  const states = begun.map(({id}) => rows.get(id)?.status ?? 'open');
  const problems = await Promise.all(begun.map(async (run) => await problemsOf(run, asked, print)));
  return {
    violations: problems.flat(),
    ended: counted(states),
    faults: Object.fromEntries(faults),
    asked: asked.size,
  };
}

function counted(words: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(words, (word) => word);
  return Object.fromEntries([...groups].map(([word, all]) => [word, all.length]));
}

/** Spread over the time of the faults. */
async function beginRuns(
  {runs, seconds, sites}: Living,
  chooser: Chooser,
  until: number,
): Promise<readonly Begun[]> {
  return await Array.fromAsync(Array.from({length: runs}), async (_, at) => {
    const begun = await beginRun(chooser.pick(sites), at, chooser);
    if (performance.now() < until) await wait((seconds * 600) / runs);
    return begun;
  });
}

async function beginRun(site: Site, at: number, chooser: Chooser): Promise<Begun> {
  const {runtime, folder: workspace} = site;
  const kind = chooser.roll(10);
  if (kind === 0) {
    const request = `What is ${at} * 7?`;
    return {id: await runtime.record({form: 'ask', request, workspace}), site, marks: []};
  }
  if (kind === 1) {
    const request = 'Should we keep the journal in a database?';
    return {id: await runtime.record({form: 'discuss', request, workspace}), site, marks: []};
  }
  const marks = [`marks-${at}-0`, `marks-${at}-1`];
  const tasks = marks.map((file, index) => ({
    id: `t${index}`,
    description: `Mark ${file}`,
    tool: 'run_command',
    args: {command: `sleep 0.4; echo done >> ${file}`},
    depends_on: index === 0 ? [] : [`t${index - 1}`],
  }));
  const plan = {objective: `Mark ${at}`, reasoning: 'The test asks for it.', tasks};
  const request = `Run the commands that append to marks-${at}-0 and marks-${at}-1`;
  return {id: await runtime.record({form: 'agent', request, plan, workspace}), site, marks};
}

type Fault = (world: Living, chooser: Chooser) => Promise<void>;

const faultKinds: Readonly<Record<string, Fault>> = {
  kill: async ({workers}, {pick}) => await pick(workers).kill(),
  pause: async ({workers}, {pick}) => await pick(workers).pause(10_000),
  cut: async ({server}) =>
    await sql(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quorate'`,
    ),
  restart: async ({server}) => {
    await server.kill();
    await server.start();
  },
};

/** A worker that is stopped does not hold up the other faults. */
async function disturb(
  world: Living,
  chooser: Chooser,
  time: {readonly until: number; readonly faults: Map<string, number>},
): Promise<void> {
  const {until, faults} = time;
  if (performance.now() >= until) return;
  await wait(500 + chooser.roll(1_500));
  const [kind, fault] = chooser.pick(Object.entries(faultKinds));
  faults.set(kind, (faults.get(kind) ?? 0) + 1);
  const done = fault(world, chooser);
  if (kind !== 'pause') await done;
  await Promise.all([done, disturb(world, chooser, time)]);
}

async function sql({url}: PostgresServer, statement: string): Promise<void> {
  const client = new Client({connectionString: url});
  client.on('error', () => {});
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Waits until all runs have ended; where one asks about a command in doubt, a person says that it is done. */
async function settle(
  begun: readonly Begun[],
  until: number,
  asked = new Set<string>(),
): Promise<ReadonlySet<string>> {
  const states = await Promise.all(
    begun.map(async (run) => {
      const state = await run.site.runtime.stateOf(run.id);
      if (state === 'waiting') await answer(run, asked);
      return state;
    }),
  );
  const open = begun.filter((_, index) => states[index] !== 'ended');
  if (open.length === 0 || performance.now() >= until) return asked;
  await wait(300);
  return await settle(open, until, asked);
}

async function answer({id, site: {runtime}}: Begun, asked: Set<string>): Promise<void> {
  try {
    const run = await runtime.resume(id);
    if ((await run.quiet()) !== 'asked') return;
    asked.add(id);
    for (const {gate} of run.gates()) run.send({type: 'human.decided', gate, decision: 'done'});
    await run.quiet();
    await run.suspend('handedOver');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** A run may fail, as where a command is refused on a busy machine; but what it claims to have run, it has run once. */
async function problemsOf(
  {id, site: {runtime, folder, journal}, marks}: Begun,
  asked: ReadonlySet<string>,
  print: ClusterOptions['print'],
): Promise<readonly string[]> {
  const state = await runtime.stateOf(id);
  if (state !== 'ended') return [`${id} has not ended: ${state}`];
  const result = (await journal.log.closing(id))?.result ?? {};
  const isDone = result['status'] === 'completed' && !asked.has(id);
  const lines = marks.map((file) => linesOf(join(folder, file)));
  const isOnce = lines.every((count) => count === 1 || (count === 0 && !isDone));
  const {checks} = await runtime.verify(id);
  if (result['status'] !== 'completed') print(`${id} failed: ${JSON.stringify(result['tasks'])}`);
  return [
    ...(isOnce ? [] : [`${id} has run its commands ${lines.join(' and ')} times`]),
    ...checks.filter(({state: each}) => each === 'fails').map(({check}) => `${id}: ${check} fails`),
  ];
}

function linesOf(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}
