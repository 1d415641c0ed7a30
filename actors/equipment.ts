/** The parts of a runtime, created once from its options and shared by all runs. */

import {isAbsolute, relative, sep} from 'node:path';

import type {AllowRule} from '../machines/domain/allow-rule.ts';
import {AppError} from '../machines/domain/app-error.ts';
import {canonicalJson} from '../machines/domain/digest.ts';
import {formTraits, usesExecutionParams} from '../machines/domain/interaction-form.ts';
import type {ModelRequest} from '../machines/domain/model.ts';
import {homeFolder} from '../tools/home-folder.ts';
import type {AnyTool, Toolbox} from '../tools/index.ts';
import type {McpServer} from '../tools/mcp/server.ts';
import {createMcpServers, type McpServers} from '../tools/mcp/servers.ts';
import {limitsOf} from '../tools/run/quota.ts';
import type {CommandOptions} from '../tools/run/run-command.ts';
import {
  createSandbox,
  createScopes,
  type Sandbox,
  type SandboxOptions,
} from '../tools/run/sandbox.ts';
import {type OwnConfig, type OwnGround, resolveOwn, settingsEvent} from './config/change.ts';
import {
  commandEnv,
  resolveConfig,
  type ResolvedConfig,
  type RunForm,
  toPrices,
  toProviders,
} from './config/resolve.ts';
import {type NamedKeys, offlineModel} from './config/roles.ts';
import {type Config, type ConfigInput, parseConfig} from './config/schema.ts';
import type {Inspector} from './engine/actor-tree.ts';
import type {CallGround, SentRequest} from './inspect/inspection.ts';
import type {Host, Journal} from './journal/journal.ts';
import {createMemoryJournal} from './journal/sqlite.ts';
import {witnessedBy} from './journal/witness.ts';
import type {Logger} from './logger.ts';
import {createLateModel, type Model} from './model/model.ts';
import {createRouter, type Router} from './model/router.ts';
import {createOffers, type Prepare, type Prepared} from './performers/offers.ts';
import {
  createPerformers,
  createStandingRules,
  type StandingRules,
} from './performers/performers.ts';
import {
  checkOwnTools,
  configuredServers,
  leftOutWarnings,
  toolboxFor,
  type Tooling,
  toolingOf,
} from './performers/tooling.ts';
import {ownPolicies, type PolicyReviewer} from './policies/names.ts';
import type {Needs, OpenedInput} from './run/run-input.ts';
import type {TakeoverDeps} from './run/takeover.ts';
import {demand, realPath} from './run/validation.ts';
import {createRedactor} from './secrets/redact.ts';
import {snapshotsFor} from './undo/backups.ts';

export interface Equipment {
  readonly config: Config;
  /** Also used to take over a run of another process. */
  readonly deps: TakeoverDeps;
  /** Returns the same toolbox for equal tooling. Throws AppError `config`. */
  readonly toolboxOf: (tooling: Tooling) => Toolbox;
  /** The tooling of a new run. */
  readonly toolingFor: (config: Config, workspace: string) => Tooling;
  readonly servers: McpServers;
  readonly standingRules: StandingRules;
  /** A request as its adapter sends it, with the providers of this runtime. Absent tooling: that of its configuration. */
  readonly asSent: CallGround['asSent'];
  readonly runConfig: RunConfigs;
  /** Throws AppError `usage`, `config` or `credentials` when something that an open run needs is missing. */
  readonly check: (needs: Needs) => void;
  /** As in {@link Router}. Never rejects. */
  readonly servedWindows: Router['servedWindows'];
  /** The warnings that precede a run. Never rejects. */
  readonly warningsOf: (run: Pick<OpenedInput, 'form' | 'workspace'>) => Promise<readonly string[]>;
}

/**
 * Returns the configuration of a run: that of the runtime, with the settings of the run in place of its own. Throws AppError
 * `usage`, `config` or `credentials`.
 */
type RunConfigs = (form: RunForm, settings: ConfigInput | undefined) => OwnConfig;

/** Throws AppError `config` for an option that cannot be used. */
export function createEquipment(options: RuntimeOptions): Equipment {
  const {config: given = {}, env = process.env, policies = {}} = options;
  const config = parseConfig(given);
  const kept = keptIn(options);
  const router = routerFor(config, env, {...options, ...kept});
  const {named = namedKeys(given), userFile, tools: extra = []} = options;
  const context = {router, named, policies: ownPolicies(policies), userFile};
  const redactor = createRedactor(config, env);
  const snapshots = snapshotsFor(kept, redactor);
  const standingRules = createStandingRules(config, options.readRules);
  const sandbox = createSandbox(confinementFor(config, options));
  const commandGiven = commandEnv(config.commands.env, env);
  const commands = commandsFor(config, {snapshots, env: commandGiven.values});
  const servers = serversFor(config, env, options);
  const toolingFor = (own: Config, workspace: string): Tooling =>
    toolingOf(own, workspace, servers.offered());
  const parts = {sandbox, commands, variables: env, extra, callServer: servers.call};
  const toolboxOf = onceByTooling((tooling) => toolboxFor(tooling, parts));
  const prepareOf = onceByTooling((tooling) =>
    createOffers(toolboxOf(tooling), tooling.maxSchemaTokens),
  );
  const {locks} = kept.host;
  const shared = {router, locks, snapshots, policies, standingRules, sandbox};
  const performersOf = onceByTooling((tooling) =>
    createPerformers({...shared, toolbox: toolboxOf(tooling), prepare: prepareOf(tooling)}),
  );
  checkOwnTools(options.tools, toolingOf(config, '.'), sandbox);
  return {
    config,
    deps: {
      ...kept,
      lends: options.lendsRuns === true,
      redactor,
      snapshots,
      customTools: toolingOf(config, '.').custom ?? [],
      priceOf: router.price,
      inspect: options.inspect,
      settingsEvent: (change, form, now) =>
        settingsEvent(change, {config: given, context, form, now}),
      performersFor: (tooling = toolingFor(config, '.')) => performersOf(tooling),
    },
    toolboxOf,
    toolingFor,
    servers,
    asSent: async (request, tooling = toolingFor(config, '.')) =>
      await asSent(request, {router, prepare: prepareOf(tooling)}),
    standingRules,
    runConfig: createRunConfigs(config, {config: given, context}),
    servedWindows: router.servedWindows,
    check: (needs) => demand(needs, router),
    warningsOf: async ({form, workspace}) => [
      ...servers.warnings(),
      ...(isReadingOnly(form) ? leftOutWarnings(extra) : []),
      ...(workspace === '' ? [] : homeWarnings(workspace, env['HOME'])),
      ...(formTraits[form].runsCommands ? commandGiven.warnings : []),
      ...(formTraits[form].runsCommands ? await sandboxWarnings(sandbox, workspace) : []),
    ],
  };
}

function keptIn({journal = createMemoryJournal(), host: given = journal.host}: RuntimeOptions): {
  readonly journal: Journal;
  readonly host: Host;
} {
  const host = given ?? createMemoryJournal().host;
  const isShared = !journal.host && host.witness;
  return {journal: isShared ? witnessedBy(journal, host.witness) : journal, host};
}

/** Without tools and body when a source of the tools is not available any more, such as a database. */
async function asSent(
  given: ModelRequest,
  {router, prepare}: {readonly router: Router; readonly prepare: Prepare},
): Promise<SentRequest> {
  const prepared = await tryPrepare(prepare, given);
  if (!prepared) return {request: given, tools: []};
  const {request, tools} = prepared;
  const body = await router.body(request.model, request, tools);
  return {request, tools, ...(body ? {body} : {})};
}

async function tryPrepare(prepare: Prepare, request: ModelRequest): Promise<Prepared | undefined> {
  try {
    return await prepare(request);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function commandsFor(
  {commands}: Config,
  given: Required<Pick<CommandOptions, 'snapshots' | 'env'>>,
): CommandOptions {
  return {...given, limits: limitsOf(commands), scopes: createScopes()};
}

function confinementFor({sandbox}: Config, {grades}: RuntimeOptions): SandboxOptions {
  return grades ? {...sandbox, grades} : sandbox;
}

function serversFor(
  config: Config,
  env: NonNullable<RuntimeOptions['env']>,
  options: RuntimeOptions,
): McpServers {
  const {mcpServers = [], pinFolder, logger, onServerOutput} = options;
  return createMcpServers({
    servers: [...configuredServers(config, env), ...mcpServers],
    sandbox: confinementFor(config, options),
    pinFolder,
    onOutput: onServerOutput ?? ((server, text) => logger?.debug(text, {server})),
  });
}

function routerFor(
  config: Config,
  env: NonNullable<RuntimeOptions['env']>,
  {models = [], userFile, journal}: RuntimeOptions,
): Router {
  return createRouter({
    providers: toProviders(config),
    env,
    extra: [createLateModel(offlineModel, loadOfflineModel), ...models],
    prices: toPrices(config),
    userFile,
    rates: journal?.rates,
  });
}

async function loadOfflineModel(): Promise<Model> {
  const {createOfflineModel} = await import('./model/offline/offline.ts');
  return createOfflineModel();
}

/** True if the form calls tools of low risk only. */
function isReadingOnly(form: RunForm): boolean {
  return usesExecutionParams(form) && !formTraits[form].runsCommands;
}

/** The dotted keys of the given sections, such as `agent.review_models`. */
function namedKeys(config: ConfigInput): ReadonlySet<string> {
  return new Set(
    Object.entries(config).flatMap(([section, keys]) =>
      Object.keys(keys ?? {}).map((key) => `${section}.${key}`),
    ),
  );
}

function onceByTooling<V>(make: (tooling: Tooling) => V): (tooling: Tooling) => V {
  const made = new Map<string, V>();
  return (tooling) => {
    const key = canonicalJson(tooling);
    const known = made.get(key) ?? make(tooling);
    made.set(key, known);
    return known;
  };
}

/** Resolves the runtime's own configuration once per form. */
function createRunConfigs(config: Config, ground: Omit<OwnGround, 'form'>): RunConfigs {
  const usual = new Map<RunForm, ResolvedConfig>();
  return (form, settings) => {
    if (settings !== undefined) return resolveOwn(settings, {...ground, form});
    const resolved = usual.get(form) ?? resolveConfig(config, ground.context, form);
    usual.set(form, resolved);
    return {given: ground.config, config, resolved};
  };
}

// The options of a runtime, all of them optional.

export interface RuntimeOptions {
  /** Any part of the configuration; the rest has its defaults. */
  readonly config?: ConfigInput;
  /** Dotted keys that a person set explicitly: models that they name must be usable. Absent: the keys in `config`. */
  readonly named?: NamedKeys;
  /** The user's configuration file, for a program with a command line. Messages then refer to the file and to flags. */
  readonly userFile?: string;
  /** Absent: an in-memory journal, which is lost when the process ends. */
  readonly journal?: Journal;
  /** This machine, for a journal that several share. Absent: that of the journal, or one that is lost when the process ends. */
  readonly host?: Host;
  /**
   * Of a server beside others on one journal: a run that waits only for a person is left when another server asks for it, and
   * `resume` asks for one that another server has.
   */
  readonly lendsRuns?: boolean | undefined;
  /** Environment variables, for API keys. Absent: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The ways to confine commands and servers that may be used. Absent: all that work here. */
  readonly grades?: SandboxOptions['grades'];
  /** More models, by their full names. */
  readonly models?: readonly Model[];
  /** More tools beside the built-in ones. */
  readonly tools?: readonly AnyTool[];
  /** More MCP servers, beside those of the configuration, which count first. `ready` learns the tools of new ones. */
  readonly mcpServers?: readonly McpServer[];
  /** The folder with the pinned tools of MCP servers. Absent: they are pinned for this runtime. */
  readonly pinFolder?: string;
  /** Receives what MCP servers print to their standard error, up to a limit. Absent: the logger receives it. */
  readonly onServerOutput?: (server: string, text: string) => void;
  /** Receives the events of every run. Absent: nothing is logged. */
  readonly logger?: Logger;
  /** More policy reviewers, by name without `policy/`. */
  readonly policies?: Readonly<Record<string, PolicyReviewer>>;
  /**
   * Stores a rule that a person has made (`always` at a gate), for `readRules`. The run that it was made in already applies
   * it. Must not throw.
   */
  readonly onRule?: (rule: AllowRule) => void;
  /**
   * Returns the current rules. Called when a run opens and before each review of an action. If it rejects, no rule applies, and
   * a warning gives the cause. Absent: the rules of `config.allow`.
   */
  readonly readRules?: () => Promise<readonly AllowRule[]>;
  /** Receives XState's inspection events of every run, including those of a replay. Absent: none are emitted. */
  readonly inspect?: Inspector;
}

// Warnings about the place of a run: the workspace is the home folder, or its commands cannot be confined.

/** A warning if the workspace (links resolved) is or contains the home folder. `home`: the value of `HOME`, if it is set. */
export function homeWarnings(workspace: string, home: string | undefined): string[] {
  const below = relative(workspace, realPath(homeFolder(home)));
  if (below.split(sep)[0] === '..' || isAbsolute(below)) return [];
  const what = below === '' ? 'is your home folder' : 'contains your home folder';
  return [
    `the workspace ${workspace} ${what}, with all your files; use --cwd to choose a project folder`,
  ];
}

/** Empty if commands run confined, and if the user turned the sandbox off. */
export async function sandboxWarnings(
  sandbox: Sandbox,
  workspace: string,
): Promise<readonly string[]> {
  if (sandbox.mode === 'off') return [];
  const probed = await sandbox.probe(workspace);
  if (probed.confined) return [];
  return sandbox.mode === 'required'
    ? [`sandbox: required, but ${probed.why}: commands are refused; see quorate doctor`]
    : [`sandbox: ${probed.why}, so approved commands run unconfined; see quorate doctor`];
}
