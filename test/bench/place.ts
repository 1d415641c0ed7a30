/**
 * The place where the measured programs run: a temporary folder with the built package and the peer installed in it. Each
 * measurement is a process of its own.
 */

import {execFile, execFileSync, spawn} from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';

import {z} from 'zod';

import {median, type Row} from './table.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Installed by exact versions: an older npm would choose an older version that its own Node can run. */
const peers = ['ai', '@ai-sdk/openai-compatible'];

export type Side = 'ours' | 'peer';

export interface Place {
  readonly folder: string;
  /** The name and version of the peer; undefined: it is not installed, and only this package is measured. */
  readonly peer: string | undefined;
  /** The installed launcher. */
  readonly launcher: string;
  /** Runs a program with an order; resolves with its figures. Rejects when it fails. */
  readonly run: (program: string, order?: object) => Promise<Figures>;
  readonly remove: () => void;
}

export type Figures = Readonly<Record<string, number>>;

const figuresSchema = z.record(z.string(), z.number());

/** Builds the package; installs the peer on request, and reports when that fails. */
export function preparePlace(wantsPeer: boolean): Place {
  execFileSync('npm', ['run', 'build'], {cwd: repository, stdio: 'ignore'});
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  cpSync(join(import.meta.dirname, 'programs'), folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const peer = wantsPeer ? installPeer(folder) : undefined;
  installOurs(folder, peer !== undefined);
  return {
    folder,
    peer,
    launcher: join(folder, 'node_modules/quorate/dist/cli/bin.js'),
    run: async (program, order = {}) => {
      const args = [join(folder, `${program}.mjs`), JSON.stringify(order)];
      const {stdout} = await promisify(execFile)(process.execPath, args, {cwd: folder});
      return figuresSchema.parse(JSON.parse(stdout));
    },
    remove: () => rmSync(folder, {recursive: true}),
  };
}

function installPeer(folder: string): string | undefined {
  const zod: unknown = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const {dependencies} = z.object({dependencies: z.object({zod: z.string()})}).parse(zod);
  try {
    const wanted = peers.map((name) => `${name}@${newestOf(name)}`);
    execFileSync('npm', ['install', ...wanted, `zod@${dependencies.zod}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return wanted[0];
  } catch (error) {
    process.stderr.write(
      `The peer could not be installed; only ours is measured. ${String(error)}\n`,
    );
    return undefined;
  }
}

function newestOf(name: string): string {
  return execFileSync('npm', ['view', name, 'version'], {encoding: 'utf8'}).trim();
}

function installOurs(folder: string, hasZod: boolean): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, {recursive: true});
  symlinkSync(repository, join(modules, 'quorate'));
  if (!hasZod) symlinkSync(join(repository, 'node_modules/zod'), join(modules, 'zod'));
}

export interface Compared {
  readonly ours: readonly Figures[];
  /** Empty without a peer. */
  readonly peer: readonly Figures[];
}

/** Runs a program for each side, in turn. */
export async function compare(
  {peer, run}: Place,
  times: number,
  orderOf: (side: Side) => {readonly program: string; readonly order?: object},
): Promise<Compared> {
  const sides: readonly Side[] = peer === undefined ? ['ours'] : ['ours', 'peer'];
  const taken: Record<Side, Figures[]> = {ours: [], peer: []};
  for (let time = 0; time < times; time += 1) {
    for (const side of sides) {
      const {program, order} = orderOf(side);
      taken[side].push(await run(program, order));
    }
  }
  return taken;
}

/** The median of one figure, for each side. */
export function middlesOf({ours, peer}: Compared, name: string): Pick<Row, 'ours' | 'peer'> {
  return {ours: middleOf(ours, name), ...(peer.length > 0 ? {peer: middleOf(peer, name)} : {})};
}

function middleOf(rounds: readonly Figures[], name: string): number {
  return median(rounds.map((figures) => figures[name] ?? Number.NaN));
}

/** A Chat Completions server in a process of its own. */
export async function startChatServer({folder}: Place): Promise<{url: string; stop: () => void}> {
  const child = spawn(process.execPath, [join(folder, 'chat-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const {promise, resolve: listening, reject} = Promise.withResolvers<string>();
  child.stdout.once('data', (line: Buffer) => listening(line.toString().trim()));
  child.once('exit', () => reject(new Error('the chat server has ended')));
  return {url: await promise, stop: () => child.kill()};
}
