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

const repository = resolve(import.meta.dirname, '../..');

/** Installed by exact versions: an older npm would choose an older version that its own Node can run. The first is named. */
const packages = {
  'ai-sdk': ['ai', '@ai-sdk/openai-compatible'],
  langgraph: ['@langchain/langgraph', '@langchain/core', '@langchain/openai'],
  'openai-agents': ['@openai/agents'],
  mastra: ['@mastra/core'],
} as const;

export type Peer = keyof typeof packages;
export type Side = 'ours' | Peer;

export interface Place {
  readonly folder: string;
  /** Names and versions; undefined: they are not installed, and only this package is measured. */
  readonly peers: ReadonlyMap<Peer, string> | undefined;
  /** The installed launcher. */
  readonly launcher: string;
  /** Runs a program with an order, in its folder; resolves with its figures. Rejects when it fails. */
  readonly run: (program: string, order?: Order) => Promise<Figures>;
  readonly remove: () => void;
}

export interface Order {
  readonly folder?: string;
  readonly [name: string]: unknown;
}

export type Figures = Readonly<Record<string, number>>;

const figuresSchema = z.record(z.string(), z.number());

/** Builds the package; installs the peers on request, and reports when that fails. */
export function preparePlace(wantsPeers: boolean): Place {
  execFileSync('npm', ['run', 'build'], {cwd: repository, stdio: 'ignore'});
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  cpSync(join(import.meta.dirname, 'programs'), folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const peers = wantsPeers ? installPeers(folder) : undefined;
  installOurs(folder, peers !== undefined);
  return {
    folder,
    peers,
    launcher: join(folder, 'node_modules/quorate/dist/cli/bin.js'),
    run: async (program, order = {}) => {
      const args = [join(folder, `${program}.mjs`), JSON.stringify(order)];
      const {stdout} = await promisify(execFile)(process.execPath, args, {
        cwd: order.folder ?? folder,
      });
      return figuresSchema.parse(JSON.parse(stdout));
    },
    remove: () => rmSync(folder, {recursive: true}),
  };
}

function installPeers(folder: string): ReadonlyMap<Peer, string> | undefined {
  const zod: unknown = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const {dependencies} = z.object({dependencies: z.object({zod: z.string()})}).parse(zod);
  const wanted = new Map(
    Object.values(packages)
      .flat()
      .map((name) => [name, `${name}@${newestOf(name)}`]),
  );
  try {
    execFileSync('npm', ['install', ...wanted.values(), `zod@${dependencies.zod}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const names: readonly Peer[] = ['ai-sdk', 'langgraph', 'openai-agents', 'mastra'];
    return new Map(names.map((peer) => [peer, wanted.get(packages[peer][0]) ?? peer]));
  } catch (error) {
    process.stderr.write(
      `The peers could not be installed; only ours is measured. ${String(error)}\n`,
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

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
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
