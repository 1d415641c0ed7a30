/**
 * A whole run on a stage: a folder, models that follow a script, and a runtime. Everything is removed with its test.
 *
 * setStage: function models. setWireStage: the same script behind a mock server, so that prompts and tools are seen as they
 * are sent. Both draft a plan of `tasks`; panels approve, and every result is accepted, except where `say` answers first.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {onTestFinished, vi} from 'vitest';

import {
  type ConfigInput,
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  createSqliteJournal,
  type Journal,
  type Model,
  type RuntimeOptions,
} from '../../actors/index.ts';
import type {LocalJournal} from '../../actors/journal/journal.ts';
import type {Run, Runtime, StartOptions} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {act, ballot, call, isBallot, revised} from './agent-models.ts';
import {type MockOpenAi, type ReceivedRequest, type Said, startMockOpenAi} from './mock-openai.ts';
import {replyOfAgent} from './scenario.ts';

/** Contents by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A new folder, removed with its test. `parent`: absent, the folder for temporary files. */
export function folderWith(files: Files = {}, parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'quorate-stage-')));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  putFiles(folder, files);
  return folder;
}

export function putFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), content);
  }
}

/** Makes the folder a repository with all of its files in one commit. */
export function commitAll(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, {cwd: folder});
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '-qm', 'begin');
}

/** Tasks that run one after another. */
export function chained(tasks: readonly object[]): readonly object[] {
  return tasks.map((task, at) => ({
    id: `${at}`,
    depends_on: at === 0 ? [] : [`${at - 1}`],
    ...task,
  }));
}

/** A journal in `journal.db` of the folder, closed with its test. */
export function journalIn(folder: string): LocalJournal {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  onTestFinished(async () => await journal.close());
  return journal;
}

/** All of that journal, as it is on disk. */
export function journalText(folder: string): string {
  const files = ['journal.db', 'journal.db-wal'].map((file) => join(folder, file));
  return files.map((file) => readFileSync(file, 'latin1')).join('');
}

interface Scene {
  readonly files?: Files;
  /** In place of a folder of its own with `files`. */
  readonly folder?: string;
  /** The tasks of the plan that the script drafts; each has an id and a description if it names none. */
  readonly tasks?: readonly object[];
  /** In place of a plan of `tasks`. */
  readonly plan?: object;
}

interface Played {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly workspace: string;
  readonly start: (request?: string, options?: Partial<StartOptions>) => Run;
  readonly run: (request?: string, options?: Partial<StartOptions>) => Promise<RunResult>;
  /** The path of a file in the workspace. */
  readonly at: (path: string) => string;
  readonly text: (path: string) => string;
}

export interface StageOptions extends Scene, Omit<RuntimeOptions, 'models'> {
  readonly say?: (
    request: ModelRequest,
  ) => ModelOutcome | undefined | Promise<ModelOutcome | undefined>;
  /** In place of the models of the script. */
  readonly models?: readonly Model[];
}

export interface Stage extends Played {
  /** To all models, in the order of the calls. */
  readonly requests: ModelRequest[];
}

const roles: NonNullable<ConfigInput['agent']> = {
  exploration_model: 't/explorer',
  decision_model: 't/decider',
  review_models: ['t/a', 't/b', 't/c'],
  hil_mode: 'auto_reject',
};

export function setStage({files, folder, tasks, plan, say, ...more}: StageOptions = {}): Stage {
  const requests: ModelRequest[] = [];
  const drafted = plan ?? planOf(tasks);
  const speak = async (request: ModelRequest): Promise<ModelOutcome> => {
    requests.push(request);
    return (await say?.(request)) ?? replyOfAgent(request, drafted);
  };
  const {agent, ...config} = more.config ?? {};
  const options = {
    models: ['explorer', 'decider', 'a', 'b', 'c'].map((name) =>
      createFunctionModel(`t/${name}`, speak),
    ),
    ...more,
    config: {
      ...(more.models ? {} : {ask: {model: 't/decider'}}),
      ...config,
      agent: {...roles, ...agent},
      quorum: {feedback_grace_ms: 20, ...config.quorum},
    },
  };
  return {...play(options, folder ?? folderWith(files)), requests};
}

export interface WireStageOptions extends Scene, Omit<RuntimeOptions, 'models'> {
  readonly say?: (received: ReceivedRequest) => Said | undefined | Promise<Said | undefined>;
}

export interface WireStage extends Played {
  readonly server: MockOpenAi;
  /** By the server of the models `mock/…`. */
  readonly received: readonly ReceivedRequest[];
}

const wireRoles: NonNullable<ConfigInput['agent']> = {
  exploration_model: 'mock/explorer',
  decision_model: 'mock/worker',
  review_models: ['mock/a', 'mock/b', 'mock/c'],
};

export async function setWireStage({
  files,
  folder,
  tasks,
  plan = tasks && planOf(tasks),
  say,
  ...more
}: WireStageOptions = {}): Promise<WireStage> {
  const server = await startMockOpenAi(
    async (received) => (await say?.(received)) ?? replyOnWire(received, plan),
  );
  onTestFinished(server.close);
  const {agent, providers, ...config} = more.config ?? {};
  const options = {
    ...more,
    config: {
      ask: {model: 'mock/asker'},
      ...config,
      agent: {...wireRoles, ...agent},
      quorum: {feedback_grace_ms: 20, ...config.quorum},
      providers: {mock: {base_url: server.baseUrl}, ...providers},
    },
  };
  return {...play(options, folder ?? folderWith(files)), server, received: server.received};
}

/** Without `plan`: one that writes note.txt. */
function replyOnWire(received: ReceivedRequest, plan: object | undefined): Said {
  if (isBallot(received)) return ballot('approve');
  return plan && received.tools.includes('create_plan')
    ? call('create_plan', revised({reasoning: 'r', ...plan}, received.text))
    : act(received);
}

function planOf(tasks: readonly object[] = [{description: 'Look'}]): object {
  const named = tasks.map((task, at) => ({id: `task-${at + 1}`, description: 'Do it', ...task}));
  return {objective: 'o', reasoning: 'r', tasks: named};
}

function play(options: RuntimeOptions, workspace: string): Played {
  const journal = options.journal ?? createMemoryJournal();
  const runtime = createRuntime({env: {}, ...options, journal});
  onTestFinished(async () => await runtime.close());
  const start: Played['start'] = (request = 'Do it', more = {}) =>
    runtime.start({form: 'agent', request, workspace, ...more});
  const at = (path: string): string => join(workspace, path);
  return {
    runtime,
    journal,
    workspace,
    start,
    run: async (request, more) => await start(request, more).result,
    at,
    text: (path) => readFileSync(at(path), 'utf8'),
  };
}

export interface Followed {
  readonly result: RunResult;
  readonly events: readonly ProgressEvent[];
}

/** Follows a run to its end. */
export async function follow(
  run: Run,
  onEvent: (event: ProgressEvent) => void = () => {},
): Promise<Followed> {
  const events: ProgressEvent[] = [];
  for await (const event of run.events) {
    events.push(event);
    onEvent(event);
  }
  return {result: await run.result, events};
}

/** The events of one type. */
export function ofType<T extends ProgressEvent['type']>(
  events: readonly ProgressEvent[],
  type: T,
): Extract<ProgressEvent, {readonly type: T}>[] {
  return events.filter(
    (event): event is Extract<ProgressEvent, {readonly type: T}> => event.type === type,
  );
}

const stepMs = 1_000;
const turnsOfStep = 20;

/**
 * From here on, time passes only in {@link passTime}: timers fire at once, while input and output are real. Undone by
 * `vi.useRealTimers()`.
 */
export function stopTime(): void {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
}

/** Lets time pass, second by second; before each second, pending work has set its timers. */
export async function passTime(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    for (let turn = 0; turn < turnsOfStep; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    vi.advanceTimersByTime(stepMs);
  }
}
