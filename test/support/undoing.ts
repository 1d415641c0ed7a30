/** Runs whose plan makes given calls one after the other, all approved, and the results of `undo`. */

import {execFileSync} from 'node:child_process';
import {lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

import {onTestFinished} from 'vitest';

import type {Journal} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {createRunCommand, createSandbox, createToolbox, type Snapshots} from '../../tools/index.ts';
import {
  chained,
  folderWith,
  follow,
  journalIn,
  ofType,
  putFiles,
  setStage,
  type Stage,
} from './stage.ts';

export interface UndoPlace {
  readonly workspace: string;
  readonly journal: Journal;
  readonly put: (path: string, content: string | Buffer) => void;
  readonly git: (...args: string[]) => void;
  /** Runs shell commands, each a call. Resolves with the run's id. */
  readonly run: (...commands: readonly string[]) => Promise<string>;
  readonly runtime: () => Runtime;
  /** Of all runs up to now. */
  readonly warnings: readonly string[];
}

/** Outside of /tmp, because any user may write there. */
export function createUndoPlace(mode: 'off' | 'required' = 'off'): UndoPlace {
  const root = folderWith({}, '/var/tmp');
  const workspace = join(root, 'work');
  mkdirSync(workspace);
  onTestFinished(() => void execFileSync('chmod', ['-R', 'u+rwx', root]));
  const journal = journalIn(root);
  let stage: Stage | undefined;
  const warnings: string[] = [];
  const open = (commands: readonly string[]): Stage =>
    setStage({
      folder: workspace,
      tasks: chained(
        commands.map((command) => ({tool: 'run_command', args: {command}, description: command})),
      ),
      config: {
        agent: {review_models: ['t/a'], hil_mode: 'interactive'},
        quorum: {screen: []},
        sandbox: {mode},
      },
      journal,
    });
  return {
    workspace,
    journal,
    put: (path, content) => putFiles(workspace, {[path]: content}),
    git: (...args) =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: workspace,
      }),
    run: async (...commands) => {
      await stage?.runtime.close();
      stage = open(commands);
      const {events, result} = await follow(stage.start('Change files here'));
      warnings.push(...ofType(events, 'warning').map(({message}) => message));
      return result.interaction;
    },
    runtime: () => (stage ??= open([])).runtime,
    warnings,
  };
}

/** By path: type, permissions, number of names and content, without git's own files. */
export function treeOf(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted();
  const shown = paths.filter((path) => path !== '.git' && !path.startsWith('.git/'));
  return new Map(shown.map((path) => [path, stateOf(join(folder, path))]));
}

function stateOf(path: string): string {
  const stats = lstatSync(path);
  const held = stats.isSymbolicLink() ? readlinkSync(path) : '';
  const content = stats.isFile() ? readFileSync(path, 'base64') : held;
  return `${stats.mode.toString(8)} ${stats.isFile() ? stats.nlink : ''} ${content}`;
}

/** The preview of a command in a folder. */
export async function runCommandPreview(workspace: string, snapshots: Snapshots): Promise<string> {
  const command = createRunCommand({sandbox: createSandbox({mode: 'off'}), snapshots});
  const call = {tool: 'run_command', args: {command: 'true'}, workspace};
  const {signal} = new AbortController();
  const context = {workspace, signal, recovering: false, onChild: () => {}};
  const ready = await createToolbox([command]).preview(call, context);
  return ready.kind === 'ready' ? ready.preview : ready.kind;
}
