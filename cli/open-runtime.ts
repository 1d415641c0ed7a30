/** Opens the runtime with this person's configuration, on the journal of their runs. */

import {join, resolve} from 'node:path';

import {toAllowRules} from '../actors/config/resolve.ts';
import type {Host, Journal} from '../actors/journal/journal.ts';
import type {Logger} from '../actors/logger.ts';
import type {Runtime} from '../actors/runtime-api.ts';
import {createRuntime} from '../actors/runtime.ts';
import {toFailure} from '../machines/domain/failure.ts';
import {type Message, t} from '../machines/message.ts';
import {keepRule} from './config/allowed.ts';
import {loadConfig} from './config/load.ts';
import {folderServers} from './config/mcp-file.ts';
import {dataFolder, userFile} from './config/paths.ts';
import {demoModels} from './demo/models.ts';
import {
  firstSteps,
  lacksModel,
  localModels,
  localOffer,
  requireModelNames,
} from './doctor/on-this-machine.ts';
import type {Globals} from './line/command.ts';
import {redact, withLog} from './log.ts';
import {openJournal} from './past/open-journal.ts';
import {warn} from './render/warning.ts';
import type {Terminal} from './terminal.ts';

export interface Launched {
  readonly runtime: Runtime;
  /** The journal of the runtime, closed with it. */
  readonly journal: Journal;
  /** This machine, if others share the journal. */
  readonly host?: Host;
  /** The folder in which a new run works. */
  readonly workspace: string;
  /** For people to read, the most important first. */
  readonly warnings: readonly (Message | string)[];
  /** Without a model: the ways to one, for a person who has just started, and the warning that says less. */
  readonly start?: {readonly steps: readonly Message[]; readonly warning?: Message};
}

/** `lendsRuns`: as in `RuntimeOptions`. */
type Place = Pick<Globals, 'cwd' | 'overrides'> & {readonly lendsRuns?: boolean};

/** Closes the runtime afterwards. Rejects as `openRuntime` and `work`. */
export async function withRuntime<T>(
  globals: Place,
  terminal: Terminal,
  work: (launched: Launched) => Promise<T>,
  logger?: Logger,
): Promise<T> {
  const launched = await openRuntime(globals, terminal, logger);
  try {
    return await work(launched);
  } finally {
    await launched.runtime.close();
  }
}

/** The same with a log, which `work` receives. */
export async function withLoggedRuntime<T>(
  globals: Place & Pick<Globals, 'log' | 'verbose'>,
  terminal: Terminal,
  work: (launched: Launched, logger: Logger) => Promise<T>,
): Promise<T> {
  return await withLog(
    globals,
    terminal.env,
    async (logger) =>
      await withRuntime(
        globals,
        terminal,
        async (launched) => await work(launched, logger),
        logger,
      ),
  );
}

/** Throws AppError `config`, `credentials`, `io`, `newer_schema` or `journal_corrupt`. */
export async function openRuntime(
  {cwd = '.', overrides, lendsRuns}: Place,
  terminal: Terminal,
  logger?: Logger,
): Promise<Launched> {
  const {env} = terminal;
  const folder = resolve(cwd);
  const loaded = await loadConfig({cwd: folder, env, overrides});
  const {config, named, warnings} = loaded;
  await requireModelNames(overrides, config, env);
  const {isTrusted, servers, problem} = await folderServers(folder, env);
  const {journal, ...shared} = await openJournal(terminal);
  const workspace = resolve(folder, config.agent.working_dir);
  const runtime = createRuntime({
    config,
    named,
    userFile: userFile(env),
    journal,
    ...shared,
    lendsRuns,
    env,
    models: demoModels(),
    mcpServers: isTrusted ? servers : [],
    pinFolder: join(dataFolder(env), 'mcp'),
    readRules: async () => toAllowRules((await loadConfig({cwd: folder, env, overrides})).config),
    onRule: (rule) => {
      try {
        keepRule(rule, env);
      } catch (error) {
        const {message} = toFailure(error);
        void warn([t`it is allowed for this run only: ${message}`], terminal);
      }
    },
    ...(logger
      ? {
          logger,
          onServerOutput: (server: string, text: string) =>
            logger.debug('server.output', {event: {server, text: redact(text, env)}}),
        }
      : {}),
  });
  const close = async (): Promise<void> => {
    await runtime.close();
    await journal.close();
  };
  const opened = {runtime: {...runtime, close}, journal, ...shared, workspace};
  const known = [...warnings, ...(isTrusted && problem !== undefined ? [problem] : [])];
  if (!lacksModel(loaded, env)) return {...opened, warnings: known};
  const found = await localModels(loaded);
  const steps = firstSteps(found);
  if (!found) return {...opened, warnings: known, start: {steps}};
  const warning = localOffer(found);
  return {...opened, warnings: [...known, warning], start: {steps, warning}};
}
