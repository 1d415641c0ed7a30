/** The composition root: charts, models, tools and a journal become a runtime. */

import type {AllowRule} from '../machines/domain/allow-rule.ts';
import {AppError} from '../machines/domain/app-error.ts';
import {defaultContextMode, runsCommands} from '../machines/domain/interaction-form.ts';
import type {AnyTool} from '../tools/index.ts';
import {createControlGroups} from '../tools/run/cgroup/control-groups.ts';
import {limitsOf} from '../tools/run/quota.ts';
import {createSandbox} from '../tools/run/sandbox.ts';
import {fitAttachments} from './attach.ts';
import {forgetEnded, snapshotsFor} from './backups.ts';
import {createCancel} from './cancel.ts';
import {
  checkedGoods,
  checkedRequest,
  checkedRunForm,
  checkedSession,
  checkedWorkspace,
  demand,
} from './checked.ts';
import {settingsEvent} from './config/change.ts';
import {commandEnv} from './config/command-env.ts';
import {parseConfig} from './config/keys.ts';
import {resolveOwn} from './config/own-settings.ts';
import {toPrices, toProviders} from './config/providers.ts';
import {type ResolvedConfig, resolveConfig, type RunForm} from './config/resolve.ts';
import {type NamedKeys, offlineModel} from './config/roles.ts';
import type {ConfigInput} from './config/schema.ts';
import type {Inspector} from './engine/charts.ts';
import {createEquipment} from './equipment.ts';
import {eraseRun} from './erase.ts';
import {homeWarnings} from './home.ts';
import type {Journal} from './journal/journal.ts';
import {createMemoryJournal} from './journal/memory.ts';
import {cancelOn, heardBy} from './listening.ts';
import type {Logger} from './logger.ts';
import {createLateModel} from './model/late-model.ts';
import type {Model} from './model/model.ts';
import {createRouter} from './model/router.ts';
import {createPerformers} from './performers.ts';
import {ownPolicies, type PolicyReviewer} from './policies/names.ts';
import {createRedactor} from './redact.ts';
import {createId} from './run-id.ts';
import {type Needs, openedIn, type OpenedInput} from './run-input.ts';
import {LiveRun} from './run.ts';
import type {ListenOptions, Run, Runtime} from './runtime-api.ts';
import {sandboxWarnings} from './sandbox-warnings.ts';
import {resumeSession, sessionsIn} from './sessions.ts';
import {createStandingRules} from './standing-rules.ts';
import {type ResumeOptions, resumeRun, type TakeoverDeps} from './takeover.ts';
import {checkOwnTools, toolboxFor, toolingOf} from './tooling.ts';
import {createWorkspaceLocks} from './workspace-locks.ts';

export interface RuntimeOptions {
  /** Any part of the configuration; the rest has its defaults. */
  readonly config?: ConfigInput;
  /** Dotted keys that a person set on purpose: what they name must be usable. Absent: those in `config`. */
  readonly named?: NamedKeys;
  /** For a program with a command line: the file in which its user configures it. Messages then speak of both. */
  readonly userFile?: string;
  /** Absent: in memory, gone with the process. */
  readonly journal?: Journal;
  /** Where keys are looked up. Absent: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More models, by their full names. */
  readonly models?: readonly Model[];
  /** More tools beside the built-in ones. */
  readonly tools?: readonly AnyTool[];
  /** Where the index of the search tool is kept. Absent: in memory. */
  readonly cacheFolder?: string;
  /** Where the lock files of workspaces are kept, for all processes. Absent: only runs of this process wait for each other. */
  readonly lockFolder?: string;
  /** Hears what happens in every run. Absent: nobody does. */
  readonly logger?: Logger;
  /** More policy reviewers, by name without `policy/`. */
  readonly policies?: Readonly<Record<string, PolicyReviewer>>;
  /**
   * Stores a rule that a person has made (`always` at a gate), for `readRules`. The run itself knows it. Must not throw.
   */
  readonly onRule?: (rule: AllowRule) => void;
  /**
   * The rules that hold now. Called when a run opens and before each review of an action; while it rejects, no rule holds,
   * and a warning has the cause. Absent: those of `config.allow`.
   */
  readonly readRules?: () => Promise<readonly AllowRule[]>;
  /** XState's inspection events of every run, also those of a replay. Absent: none are made. */
  readonly inspect?: Inspector;
}

/**
 * Throws AppError `config` for a part that cannot be used. `start` throws AppError `config` or `credentials` for roles that can't be filled: a run that is open already has its
 * own, so that `resume` and `cancel` need no key of a model that they do not call.
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const config = parseConfig(options.config ?? {});
  const journal = options.journal ?? createMemoryJournal();
  const env = options.env ?? process.env;
  const router = createRouter({
    providers: toProviders(config),
    env,
    extra: [createLateModel(offlineModel, loadOfflineModel), ...(options.models ?? [])],
    prices: toPrices(config),
    userFile: options.userFile,
  });
  const named = options.named ?? namedKeys(options.config ?? {});
  const locks = createWorkspaceLocks(options.lockFolder);
  const policies = ownPolicies(options.policies ?? {});
  const roleContext = {router, named, policies, userFile: options.userFile};
  const redactor = createRedactor(config, env);
  const snapshots = snapshotsFor(journal, redactor, options);
  const sandbox = createSandbox(config.sandbox);
  const commandGiven = commandEnv(config.commands.env, env);
  const commands = {
    snapshots,
    env: commandGiven.values,
    limits: limitsOf(config.commands),
    controlGroups: createControlGroups(),
  };
  const standingRules = createStandingRules(config, options.readRules);
  const equip = createEquipment((tooling) => {
    const {tools: extra = [], cacheFolder, policies: added = {}} = options;
    const toolbox = toolboxFor(tooling, {sandbox, commands, cacheFolder, extra});
    return {
      toolbox,
      performers: createPerformers({
        router,
        toolbox,
        locks,
        snapshots,
        policies: added,
        standingRules,
      }),
    };
  });
  checkOwnTools(options.tools, toolingOf(config, '.'), sandbox);
  const deps: TakeoverDeps = {
    journal,
    locks,
    redactor,
    snapshots,
    priceOf: router.price,
    inspect: options.inspect,
    settingsEvent: (given, form, now) =>
      settingsEvent(given, {config: options.config ?? {}, context: roleContext, form, now}),
    performersFor: (tooling) => equip(tooling ?? toolingOf(config, '.')).performers,
  };
  const warningsOf = async ({form, workspace}: Pick<OpenedInput, 'form' | 'workspace'>) => [
    ...homeWarnings(workspace, env['HOME']),
    ...(runsCommands(form) ? commandGiven.warnings : []),
    ...(runsCommands(form) ? await sandboxWarnings(sandbox, workspace) : []),
  ];
  const runs = new Set<LiveRun>();
  let isClosed = false;
  const requireOpen = (): void => {
    if (isClosed) throw new AppError('usage', 'the runtime is closed; create another one');
  };
  const track = (run: LiveRun, {signal}: ListenOptions): Run => {
    runs.add(run);
    void run.result.then(cancelOn(signal, run));
    void run.result.then(() => runs.delete(run));
    void run.result.then(forgetEnded(snapshots, run.id));
    return run;
  };
  const check = (needs: Needs): void => demand(needs, router);
  const openings = new Set<Promise<Run>>();
  const takeUp: TakeUp = async (id, how, listen) => {
    requireOpen();
    const opening = resumeRun(id, deps, how).then((run) => track(run, listen));
    openings.add(opening);
    try {
      return await opening;
    } finally {
      openings.delete(opening);
    }
  };
  const usual = new Map<RunForm, ResolvedConfig>();
  const resolveFor = (form: RunForm): ResolvedConfig => {
    const known = usual.get(form) ?? resolveConfig(config, roleContext, form);
    usual.set(form, known);
    return known;
  };
  const configure = (form: RunForm, settings: ConfigInput | undefined) =>
    settings === undefined
      ? {config, resolved: resolveFor(form)}
      : resolveOwn(settings, {config: options.config ?? {}, context: roleContext, form});
  const here = config.agent.working_dir || '.';
  const start: Runtime['start'] = ({
    form,
    request,
    inherited,
    attachments = [],
    settings: given,
    session,
    contextMode = defaultContextMode(checkedRunForm(form)),
    workspace = here,
    onEvent,
    signal,
    ...goods
  }) => {
    requireOpen();
    const {config: own, resolved} = configure(checkedRunForm(form), given);
    const {settings, limits, warnings} = resolved;
    const place = checkedWorkspace(workspace);
    const tooling = toolingOf(own, place);
    const fitted = fitAttachments(attachments, own.context.max_attached_bytes);
    const tools = equip(tooling).toolbox.infos();
    const input = {
      id: createId(),
      form,
      contextMode,
      depth: 0,
      request: checkedRequest(request),
      ...(attachments.length > 0 ? {attachments: fitted.attachments} : {}),
      ...(inherited === undefined ? {} : {inherited}),
      ...checkedGoods(goods, form, tools),
      workspace: place,
      settings: {...settings, tools},
      limits,
      tooling,
      ...(session === undefined ? {} : {session: checkedSession(session)}),
    } as const;
    const listen = {...(onEvent ? {onEvent} : {}), ...(signal ? {signal} : {})};
    snapshots.baselines.begin(input.id);
    const runDeps = {...deps, redactor: redactor.within(input.workspace)};
    const run = new LiveRun(input, runDeps, heardBy(options, input.id, listen));
    run.open(async () => {
      const told = [...warnings, ...fitted.warnings, ...(await warningsOf(input))];
      const allow = await standingRules(place, (message) => told.push(message));
      return {input: {...input, settings: {...input.settings, allow}}, warnings: told};
    });
    return track(run, listen);
  };
  const goingOn: Pick<Runtime, 'interactions' | 'ready' | 'resume'> = {
    interactions: async () => await journal.log.list(),
    ready: async ({workspace = here, run, entries} = {}) => {
      const read = entries ?? (run === undefined ? [] : (await journal.log.salvage(run)).entries);
      const tooling = openedIn(read)?.tooling ?? toolingOf(config, checkedWorkspace(workspace));
      await equip(tooling).toolbox.ready();
    },
    resume: async (id, {settings, prepare, ...listen} = {}) =>
      await takeUp(
        id,
        {check, settings, prepare, warningsOf, onEvent: heardBy(options, id, listen)},
        listen,
      ),
  };
  return {
    ...goingOn,
    start,
    agent: (request, place) => start({form: 'agent', request, ...place}),
    ask: (request, place) => start({form: 'ask', request, ...place}),
    sessions: async (query) => sessionsIn(await journal.log.list(), query),
    resumeSession: async (id, listen) => await resumeSession(id, goingOn, listen),
    cancel: createCancel(journal, async (id, events) => await takeUp(id, {events}, {})),
    erase: async (id) => {
      await eraseRun(id, journal);
      snapshots.forget(id);
    },
    undo: async (id, how) => {
      const {undoRun} = await import('./undo.ts');
      return await undoRun(id, deps, how);
    },
    entries: async (id) => await journal.log.read(id),
    salvage: async (id) => await journal.log.salvage(id),
    isAtWork: async (id) => (await journal.owners.tenureOf(id)) === 'owned',
    close: async () => {
      isClosed = true;
      // What is being taken up would otherwise come to life after all is closed.
      await Promise.allSettled(openings);
      await Promise.all([...runs].map(async (run) => await run.suspend('interrupted')));
      snapshots.close();
      if (!options.journal) await journal.close();
    },
  };
}

async function loadOfflineModel(): Promise<Model> {
  const {createOfflineModel} = await import('./model/offline/offline.ts');
  return createOfflineModel();
}

/** Resumes a run as one of the runtime's own. */
type TakeUp = (id: string, options: ResumeOptions, listen: ListenOptions) => Promise<Run>;

/** `agent.review_models` and the like: the keys of the sections that were given. */
function namedKeys(config: ConfigInput): ReadonlySet<string> {
  return new Set(
    Object.entries(config).flatMap(([section, keys]) =>
      Object.keys(keys ?? {}).map((key) => `${section}.${key}`),
    ),
  );
}
