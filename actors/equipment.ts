/** The parts of a runtime, created once from its options and shared by all runs. */

import {AppError} from '../machines/domain/app-error.ts';
import {canonicalJson} from '../machines/domain/digest.ts';
import {formTraits, usesExecutionParams} from '../machines/domain/interaction-form.ts';
import type {ModelRequest} from '../machines/domain/model.ts';
import type {Toolbox} from '../tools/index.ts';
import {createMcpServers, type McpServers} from '../tools/mcp/servers.ts';
import {limitsOf} from '../tools/run/quota.ts';
import type {CommandOptions} from '../tools/run/run-command.ts';
import {createSandbox, createScopes, type SandboxOptions} from '../tools/run/sandbox.ts';
import {resolveOwn, settingsEvent, type OwnGround} from './config/change.ts';
import {
  commandEnv,
  resolveConfig,
  type ResolvedConfig,
  type RunForm,
  toPrices,
  toProviders,
} from './config/resolve.ts';
import {offlineModel} from './config/roles.ts';
import {type Config, type ConfigInput, parseConfig} from './config/schema.ts';
import type {CallGround, SentRequest} from './inspect/model-calls.ts';
import {createMemoryJournal} from './journal/sqlite.ts';
import {createLateModel, type Model} from './model/model.ts';
import {createRouter, type Router} from './model/router.ts';
import {configuredServers} from './performers/configured-servers.ts';
import {createOffers, type Prepare, type Prepared} from './performers/offers.ts';
import {createPerformers} from './performers/performers.ts';
import {homeWarnings, sandboxWarnings} from './performers/place-warnings.ts';
import {createStandingRules, type StandingRules} from './performers/standing-rules.ts';
import {
  checkOwnTools,
  leftOutWarnings,
  toolboxFor,
  type Tooling,
  toolingOf,
} from './performers/tooling.ts';
import {createWorkspaceLocks} from './performers/workspace-locks.ts';
import {ownPolicies} from './policies/names.ts';
import type {Needs, OpenedInput} from './run/run-input.ts';
import type {TakeoverDeps} from './run/takeover.ts';
import {demand} from './run/validation.ts';
import type {RuntimeOptions} from './runtime-options.ts';
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
type RunConfigs = (
  form: RunForm,
  settings: ConfigInput | undefined,
) => {readonly config: Config; readonly resolved: ResolvedConfig};

/** Throws AppError `config` for an option that cannot be used. */
export function createEquipment(options: RuntimeOptions): Equipment {
  const {config: given = {}, env = process.env, policies = {}} = options;
  const config = parseConfig(given);
  const journal = options.journal ?? createMemoryJournal();
  const router = routerFor(config, env, options);
  const {named = namedKeys(given), userFile, tools: extra = []} = options;
  const context = {router, named, policies: ownPolicies(policies), userFile};
  const locks = createWorkspaceLocks(options.lockFolder);
  const redactor = createRedactor(config, env);
  const snapshots = snapshotsFor(journal, redactor, options);
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
  const shared = {router, locks, snapshots, policies, standingRules, sandbox};
  const performersOf = onceByTooling((tooling) =>
    createPerformers({...shared, toolbox: toolboxOf(tooling), prepare: prepareOf(tooling)}),
  );
  checkOwnTools(options.tools, toolingOf(config, '.'), sandbox);
  return {
    config,
    deps: {
      journal,
      locks,
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
      ...homeWarnings(workspace, env['HOME']),
      ...(formTraits[form].runsCommands ? commandGiven.warnings : []),
      ...(formTraits[form].runsCommands ? await sandboxWarnings(sandbox, workspace) : []),
    ],
  };
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
  {models = [], userFile}: RuntimeOptions,
): Router {
  return createRouter({
    providers: toProviders(config),
    env,
    extra: [createLateModel(offlineModel, loadOfflineModel), ...models],
    prices: toPrices(config),
    userFile,
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
    return {config, resolved};
  };
}
