/**
 * Workers and servers of two hosts on one journal, while processes are killed and stopped, connections are cut, the database restarts
 * and its disk fills up. In the end every run must have ended as it should, and every record must be sound.
 */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

import {peekRun} from '../../actors/history/peek.ts';
import type {StartOptions} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {act, ballot, isBallot} from '../support/agent-models.ts';
import {type Chooser, createChooser} from '../support/dice.ts';
import {startMockOpenAi} from '../support/mock-openai.ts';
import {type PostgresServer, startPostgres} from '../support/postgres.ts';
import {disturb, useSmallDisk} from './faults.ts';
import {type Cluster, fillForm, follow, openForm, type Opened} from './person.ts';
import {closeSite, openSite, type Process, serverAt, type Site, workerAt} from './site.ts';
import {type Begun, type Filled, linesOf, problemsOf} from './verdict.ts';

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
  /** Commands in doubt about which a person was asked. */
  readonly asked: number;
}

export async function runCluster(options: ClusterOptions): Promise<ClusterReport> {
  await using ends = new AsyncDisposableStack();
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-cluster-')));
  ends.defer(() => rmSync(place, {recursive: true, force: true}));
  const server = await startPostgres();
  const removeDisk = await useSmallDisk(server);
  ends.defer(async () => {
    await server.remove();
    removeDisk?.();
  });
  if (!removeDisk) options.print('no disk can be mounted here: it does not become full');
  const models = await startMockOpenAi((received) =>
    isBallot(received) ? ballot('approve') : act(received),
  );
  ends.defer(models.close);
  const sites = await Promise.all(
    ['a', 'b'].map(async (name) => await openSite(join(place, name), server.url, models.baseUrl)),
  );
  ends.defer(async () => void (await Promise.all(sites.map(closeSite))));
  const [one, other] = sites;
  if (!one || !other) throw new Error('there are two sites');
  // Two workers on one host, one on the other: its runs wait for it while it is away.
  const workers = [one, one, other].map((site) => workerAt(site, server.url));
  const servers = sites.map((site) => serverAt(site, server.url));
  const processes = [...workers, ...servers];
  ends.defer(async () => void (await Promise.all(processes.map(async (each) => await each.end()))));
  await Promise.all(processes.map(async (each) => await each.start()));
  const hasSmallDisk = removeDisk !== undefined;
  return await live({...options, server, sites, servers, processes, hasSmallDisk});
}

interface Living extends ClusterOptions {
  readonly server: PostgresServer;
  readonly sites: readonly Site[];
  readonly servers: readonly Process[];
  /** The workers and the servers. */
  readonly processes: readonly Process[];
  readonly hasSmallDisk: boolean;
}

/** After the faults, until all runs have ended. */
const settleMs = 120_000;

async function live(world: Living): Promise<ClusterReport> {
  const {seconds, print, sites} = world;
  const chooser = createChooser(world.seed);
  const until = performance.now() + seconds * 1_000;
  const [begun, counts] = await Promise.all([
    beginRuns(world, chooser, until),
    disturb(world, chooser, until),
  ]);
  const faults = Object.fromEntries(counts);
  print(`${begun.length} runs begun, faults: ${JSON.stringify(faults)}`);
  const asked = new Set<string>();
  await settle(begun, until + settleMs, asked);
  const rows = new Map((await sites[0]?.journal.log.list())?.map((row) => [row.id, row]));
  const states = begun.map(({id}) => rows.get(id)?.status ?? 'open');
  const problems = await Promise.all(begun.map(problemsOf));
  return {violations: problems.flat(), ended: counted(states), faults, asked: asked.size};
}

function counted(words: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(words, (word) => word);
  return Object.fromEntries([...groups].map(([word, all]) => [word, all.length]));
}

/** Spread over the time of the faults. */
async function beginRuns(
  world: Living,
  chooser: Chooser,
  until: number,
): Promise<readonly Begun[]> {
  const {runs, seconds} = world;
  return await Array.fromAsync(Array.from({length: runs}), async (_, at) => {
    const begun = await beginRun(world, at, {chooser, until});
    if (performance.now() < until) await wait((seconds * 600) / runs);
    return begun;
  });
}

/** No vote ends before all ballots are cast. */
const panel = {
  agent: {review_models: ['mock/a', 'mock/b', 'mock/c']},
  quorum: {rule: 'unanimous'},
};

interface Course {
  readonly chooser: Chooser;
  readonly until: number;
}

async function beginRun(world: Living, at: number, course: Course): Promise<Begun> {
  const {chooser} = course;
  const kind = chooser.roll(10);
  const site = chooser.pick(world.sites);
  if (kind < 2) return await beginInterview(world, site, course);
  const begin = async (options: Omit<StartOptions, 'workspace'>): Promise<string> =>
    await record(site, options);
  if (kind === 2)
    return {id: await begin({form: 'ask', request: `What is ${at} * 7?`}), site, marks: []};
  if (kind === 3) {
    const request = 'Should we keep the journal in a database?';
    return {id: await begin({form: 'discuss', request}), site, marks: []};
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
  return {id: await begin({form: 'agent', request, plan, settings: panel}), site, marks};
}

/** A disk that is full records nothing. */
async function record(site: Site, options: Omit<StartOptions, 'workspace'>): Promise<string> {
  try {
    return await site.runtime.record({...options, workspace: site.folder});
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'io') throw error;
    await wait(500);
    return await record(site, options);
  }
}

async function beginInterview(
  {servers}: Living,
  site: Site,
  {chooser, until}: Course,
): Promise<Begun> {
  const cluster = {servers, chooser, until: until + settleMs};
  const opened = await openForm(cluster);
  const filled = fillAndFollow(cluster, opened);
  // Reported in the end.
  filled.catch(() => {});
  return {id: opened.id, site, marks: [], filled};
}

async function fillAndFollow(cluster: Cluster, opened: Opened): Promise<Filled> {
  const [answers, positions] = await Promise.all([
    fillForm(cluster, opened),
    follow(cluster, opened),
  ]);
  return {answers, positions};
}

/** Waits until all runs have ended. A person looks at what a command in doubt has done, and decides. */
async function settle(begun: readonly Begun[], until: number, asked: Set<string>): Promise<void> {
  const states = await Promise.all(
    begun.map(async (run) => {
      const state = await run.site.runtime.stateOf(run.id);
      if (state === 'waiting' && !run.filled) await answer(run, asked);
      return state;
    }),
  );
  const open = begun.filter((_, index) => states[index] !== 'ended');
  if (open.length === 0 || performance.now() >= until) return;
  await wait(300);
  await settle(open, until, asked);
}

async function answer({id, site}: Begun, asked: Set<string>): Promise<void> {
  const {gates} = await peekRun(id, await site.runtime.entries(id));
  const fresh = gates.filter(({gate}) => !asked.has(`${id} ${gate}`));
  await Promise.all(
    fresh.map(async ({gate, question}) => {
      asked.add(`${id} ${gate}`);
      const [file = ''] = /marks-\d+-\d/.exec(question.preview ?? '') ?? [];
      const isDone = linesOf(join(site.folder, file)) > 0;
      const decision = isDone ? 'done' : 'retry';
      await site.runtime.relay(id, {type: 'human.decided', gate, decision});
    }),
  );
}
