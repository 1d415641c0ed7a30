/** A launcher with a folder to work in and models on a mock server: made before each test, or once per suite, and removed after it. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {
  type MockOpenAi,
  type ReceivedRequest,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';
import {aroundTests, delegate, putIn} from './folders.ts';
import {linesOf} from './texts.ts';

export type Answer = (received: ReceivedRequest) => Said | Promise<Said>;

interface PanelOptions {
  readonly graceMs?: number;
  /** More lines of the section `agent`. */
  readonly agent?: string;
}

export interface StageOptions extends PanelOptions {
  /** The replies of a panel of models on a mock server; absent: no model is configured. */
  readonly models?: Answer;
  /** True: one launcher for all tests of the suite. */
  readonly once?: boolean;
  /** Runs after the folders, the models and the configuration are there. */
  readonly prepare?: () => Promise<void> | void;
}

/** Members that are objects are always those of the current test. */
export interface Stage {
  readonly launcher: Launcher;
  readonly server: MockOpenAi;
  /** The folder `work` of the launcher. */
  readonly workspace: () => string;
  /** A path below the folder of the launcher. */
  readonly at: (...parts: readonly string[]) => string;
  /** Writes a file below the workspace. Returns its path. */
  readonly put: (path: string, text: string) => string;
  /** Writes the configuration of the user. */
  readonly configure: (toml: string) => void;
  /** Starts other models, with a configuration for them. */
  readonly serve: (answer: Answer, options?: PanelOptions) => Promise<void>;
  /** Runs a line in the workspace, in a process of its own. */
  readonly run: (...args: readonly string[]) => Promise<Launched>;
  /** The same in this process. */
  readonly launch: (...args: readonly string[]) => Promise<Launched>;
  /** A conversation in the workspace, whose lines come from a pipe. */
  readonly pipe: (...lines: readonly string[]) => Promise<Launched>;
  /** Makes a run that writes notes.txt. Resolves with its ID. */
  readonly written: () => Promise<string>;
}

/** To be called once per suite, or once per `describe`. */
export function setStage({models, once = false, prepare, ...panel}: StageOptions = {}): Stage {
  let current: Launcher;
  let servers: MockOpenAi[] = [];
  const launcher = delegate(() => current);
  const at = (...parts: readonly string[]) => join(current.folder, ...parts);
  const workspace = () => at('work');
  const serve: Stage['serve'] = async (answer, options = panel) => {
    servers = [await startMockOpenAi(answer), ...servers];
    const [first] = servers;
    if (first) useMockPanel(current, first, options);
  };
  aroundTests(
    once,
    async () => {
      current = createLauncher();
      mkdirSync(workspace());
      if (models) await serve(models);
      await prepare?.();
    },
    async () => {
      for (const server of servers.splice(0)) await server.close();
      current.remove();
    },
  );
  const launch: Stage['launch'] = async (...args) =>
    await current.perform(['-C', workspace(), ...args]);
  return {
    launcher,
    server: delegate(() => servers[0] ?? noModels()),
    workspace,
    at,
    put: (path, text) => putIn(workspace(), path, text),
    configure: (toml) => void putIn(at('config/quorate'), 'config.toml', toml),
    serve,
    run: async (...args) => await current.run(['-C', workspace(), ...args]),
    launch,
    pipe: async (...lines) =>
      await current.perform(['chat'], {cwd: workspace(), stdin: linesOf(lines)}),
    written: async () => {
      const made = await launch('-q', 'Create a file notes.txt with the content "Hello"');
      return /^([a-z0-9]{12}) · /m.exec(made.stdout)?.[1] ?? '';
    },
  };
}

function noModels(): never {
  throw new Error('no models were started');
}

/** The ID in the command that continues a run. */
export function idIn({stdout, stderr}: Launched): string {
  return /quorate resume ([A-Za-z0-9_-]+)/.exec(stdout + stderr)?.[1] ?? '';
}
