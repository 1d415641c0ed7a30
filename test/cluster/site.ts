/** The machines of a cluster: a data folder each, a folder in which its runs work, and the processes that are started on it. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as wait} from 'node:timers/promises';

import {createMemoryJournal, createRuntime} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../actors/journal/postgres/postgres.ts';
import {createSigner, makePublicKey} from '../../actors/journal/signing-key.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {compiledCode, launcherProgram} from '../support/built.ts';

export interface Site {
  readonly home: string;
  readonly folder: string;
  readonly journal: Journal;
  /** Records runs, reads them and leaves decisions; it performs nothing. */
  readonly runtime: Runtime;
}

/** `models`: the address of a server of models, which the processes know as the provider `mock`. `patienceMs`: longer than any fault. */
export async function openSite(home: string, url: string, models: string): Promise<Site> {
  const folder = join(home, 'work');
  mkdirSync(folder, {recursive: true});
  mkdirSync(join(home, '.config/quorate'), {recursive: true});
  writeFileSync(
    join(home, '.config/quorate/config.toml'),
    `[providers.mock]\nbase_url = "${models}"\n`,
  );
  const keys = join(home, 'data', 'keys');
  const {id: host, pem: key} = makePublicKey(keys);
  const sign = createSigner(keys);
  const journal = await createPostgresJournal({url, host, sign, patienceMs: 60_000});
  await journal.hosts?.enroll({id: host, name: host, key});
  const runtime = createRuntime({
    journal,
    host: {...createMemoryJournal({sign}).host, id: host},
    config: {providers: {mock: {base_url: models}}},
    env: {},
  });
  return {home, folder, journal, runtime};
}

export async function closeSite({runtime, journal}: Site): Promise<void> {
  await runtime.close();
  await journal.close();
}

/** A process of the launcher, started again when it has ended: as it does where the database can't be used at its start. */
export class Process {
  readonly #site: Site;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #isOver = false;
  #url = '';

  constructor(site: Site, args: readonly string[]) {
    this.#site = site;
    this.#args = args;
  }

  /** Of a server that has printed its address; else empty. */
  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const {home, folder} = this.#site;
    this.#url = '';
    const program = await launcherProgram();
    if (this.#isOver) return;
    const child = spawn(process.execPath, [program, ...this.#args, '-q'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        QUORATE_HOME: join(home, 'data'),
        NODE_COMPILE_CACHE: compiledCode(),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.once('exit', () => void this.#goOn());
    createInterface({input: child.stdout}).on('line', (line) => {
      const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
      if (url !== undefined) this.#url = url;
    });
    this.#child = child;
  }

  async #goOn(): Promise<void> {
    await wait(200);
    if (!this.#isOver) await this.start();
  }

  /** It starts again. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async pause(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP');
    await wait(ms);
    this.#child?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}

export function workerAt(site: Site, url: string): Process {
  return new Process(site, ['worker', '--journal', url, '--most', '6']);
}

/** It serves the forms of the fixtures. */
export function serverAt(site: Site, url: string): Process {
  const forms = resolve('test/fixtures/forms');
  const words = ['serve', '--journal', url, '--forms', forms, '--port', '0', '--rate', '1000'];
  return new Process(site, words);
}
