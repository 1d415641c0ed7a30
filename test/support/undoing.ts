/** Runs whose plan makes given calls one after the other, all approved, and the results of `undo`. */

import {execFileSync} from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';

import {onTestFinished} from 'vitest';

import {createFunctionModel, createRuntime, createSqliteJournal} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {answer, reply, vote} from './scenario.ts';

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
  const root = realpathSync(mkdtempSync('/var/tmp/quorate-undo-'));
  const workspace = join(root, 'work');
  mkdirSync(workspace);
  const journal = createSqliteJournal(join(root, 'journal.db'));
  let runtime: Runtime | undefined;
  const warnings: string[] = [];
  onTestFinished(async () => {
    await runtime?.close();
    await journal.close();
    execFileSync('chmod', ['-R', 'u+rwx', root]);
    rmSync(root, {recursive: true});
  });
  const open = (commands: readonly string[]): Runtime =>
    createRuntime({
      config: {
        agent: {exploration_model: 'test/m', decision_model: 'test/m', review_models: ['test/m']},
        quorum: {screen: []},
        sandbox: {mode},
      },
      models: [createFunctionModel('test/m', planner(commands))],
      journal,
      env: {},
      cacheFolder: join(root, 'cache'),
    });
  return {
    workspace,
    journal,
    put: (path, content) => {
      mkdirSync(dirname(join(workspace, path)), {recursive: true});
      writeFileSync(join(workspace, path), content);
    },
    git: (...args) =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: workspace,
      }),
    run: async (...commands) => {
      await runtime?.close();
      runtime = open(commands);
      const run = runtime.start({form: 'agent', request: 'Change files here', workspace});
      for await (const event of run.events) {
        if (event.type === 'warning') warnings.push(event.message);
      }
      await run.result;
      return run.id;
    },
    runtime: () => (runtime ??= open([])),
    warnings,
  };
}

function planner(commands: readonly string[]): (request: ModelRequest) => ModelOutcome {
  const tasks = commands.map((command, index) => ({
    tool: 'run_command',
    args: {command},
    id: `${index}`,
    description: command,
    depends_on: index === 0 ? [] : [`${index - 1}`],
  }));
  return ({purpose}) => {
    if (purpose === 'plan') return reply('create_plan', {objective: 'o', reasoning: 'r', tasks});
    if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
    return purpose.startsWith('review') ? vote('approve') : answer('done');
  };
}

/** By path: type, permissions and content, without git's own files. */
export function treeOf(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted();
  const shown = paths.filter((path) => path !== '.git' && !path.startsWith('.git/'));
  return new Map(shown.map((path) => [path, stateOf(join(folder, path))]));
}

function stateOf(path: string): string {
  const stats = lstatSync(path);
  const held = stats.isSymbolicLink() ? readlinkSync(path) : '';
  const content = stats.isFile() ? readFileSync(path, 'base64') : held;
  return `${stats.mode.toString(8)} ${content}`;
}
