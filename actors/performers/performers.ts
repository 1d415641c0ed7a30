/** Performs the requests of ports: models, tools, policies. Requests to people and waits for a resume are settled elsewhere. */

import {lstat} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {CallVerdict, Proposal, ProposedCall} from '../../machines/domain/review.ts';
import {
  callHash,
  type EarlierCall,
  isConfining,
  riskOf,
  type ToolOutcome,
} from '../../machines/domain/tool.ts';
import {withoutSecrets} from '../../machines/places/secrets.ts';
import type {Asked, PortName, PortOutcome, PortRequest} from '../../machines/ports.ts';
import {type Ballot, wholeVerdict} from '../../machines/questions/ballot.ts';
import {unlockedWarning} from '../../machines/tree/lock.ts';
import {shortageCode} from '../../tools/containment/denial.ts';
import {checkText} from '../../tools/guardrails.ts';
import type {Snapshots} from '../../tools/index.ts';
import {createMemo} from '../../tools/memo.ts';
import type {Sandbox} from '../../tools/run/sandbox.ts';
import type {PendingFiles, ToolContext} from '../../tools/tool.ts';
import type {Toolbox} from '../../tools/toolbox.ts';
import {toAllowRules} from '../config/resolve.ts';
import type {Config} from '../config/schema.ts';
import {Shortage} from '../engine/calls.ts';
import type {EffectContext} from '../engine/engine.ts';
import {callSafely} from '../model/model.ts';
import type {Router} from '../model/router.ts';
import type {AnalysisDeps} from '../policies/analysis/analyse.ts';
import type {VerdictContext} from '../policies/index.ts';
import {policyName, type PolicyReviewer} from '../policies/names.ts';
import type {RunChanges} from '../undo/backups.ts';
import type {Prepare} from './offers.ts';
import type {WorkspaceLocks} from './workspace-locks.ts';

type Performed = Exclude<PortName, 'askHuman' | 'askPerson' | 'awaitResume'>;

/** One function for each port. It resolves with an outcome and rejects only for bugs. */
export type Performers = {
  readonly [P in Performed]: (
    request: PortRequest<P>,
    context: PerformContext,
  ) => Promise<PortOutcome<P>>;
};

export interface PerformContext extends EffectContext {
  /** The id of the run. */
  readonly run: string;
  /** Called when other runs hold the workspace, so this run waits. */
  readonly onBusy: () => void;
  readonly onWarning: (message: string) => void;
  readonly onDelta: (model: string, text: string) => void;
  /** Receives whole lines that a tool prints while it runs. */
  readonly onOutput: (tool: string, text: string) => void;
  /** Records a process group before it runs. The tool waits for the returned promise. */
  readonly onChild: (processGroup: number) => void | Promise<void>;
  readonly changes: RunChanges;
  /** Of a model call: the limit of the reply, in tokens, if the budget allows only a lower one than requested. */
  readonly cappedTokens?: number | undefined;
}

export interface PerformerDeps extends ScreeningDeps {
  readonly router: Router;
  readonly locks: WorkspaceLocks;
  readonly standingRules: StandingRules;
  readonly prepare: Prepare;
  readonly sandbox: Pick<Sandbox, 'probe'>;
}

export function createPerformers(deps: PerformerDeps): Performers {
  const {toolbox, locks, standingRules} = deps;
  const screen = createScreening(deps);
  return {
    callModel: async (request, context) => await callModel(request, context, deps),
    runTool: async (request, context) => await runTool(request, context, deps),
    previewTool: async (request, context) => {
      context.changes.note(request.written ?? []);
      const {workspace, earlier = []} = request;
      const tools = toolContext(workspace, context);
      const pending = await pendingFiles(earlier, toolbox, tools);
      const preview = await toolbox.preview(request, {...tools, pending});
      if (preview.kind !== 'ready') {
        if (preview.code === shortageCode) throw new Shortage(preview.message);
        return preview;
      }
      return {...preview, allow: await standingRules(workspace, context.onWarning)};
    },
    checkCalls: async ({calls, workspace}, context) => {
      const problems = toolbox.check(calls);
      if (problems.length > 0) return {problems};
      const {plannedChanges} = await import('./planned-changes.ts');
      const changes = await plannedChanges(calls, toolbox, toolContext(workspace, context));
      return {problems, ...(changes.length === 0 ? {} : {changes})};
    },
    checkFiles: async ({workspace, paths}) => ({missing: await missingFiles(workspace, paths)}),
    surveyWorkspace: async (request, {signal}) => await survey(request, signal, deps.sandbox),
    checkText: async ({stage, text, rules}) => checkText(stage, text, rules),
    lockWorkspace: async ({workspace}, context) => await lockFor(locks, workspace, context),
    unlockWorkspace: async (_, {run}) => {
      locks.unlock(run);
      return {locked: false};
    },
    readReply: async (request) => await (await readings()).readReply(request),
    readSetting: async (request) => await (await readings()).readSetting(request),
    checkAnswer: async (request) => await (await readings()).checkAnswer(request),
    readQuestionnaire: async ({workspace, name}) => {
      const {readWorkspaceForm} = await import('../../tools/questionnaire/form-file.ts');
      const form = await readWorkspaceForm(workspace, name);
      if (form.kind !== 'read') return {kind: form.kind, problem: form.problems.join('\n')};
      return {kind: 'read', questionnaire: form.questionnaire};
    },
    screenProposal: async (request, context) =>
      await screen(
        request,
        toolContext(request.proposal.facts.workspace, context),
        context.onWarning,
      ),
  };
}

async function callModel(
  request: PortRequest<'callModel'>,
  {signal, onDelta, cappedTokens}: PerformContext,
  {router, prepare}: Pick<PerformerDeps, 'router' | 'prepare'>,
): Promise<PortOutcome<'callModel'>> {
  const checked = router.check(request.model);
  if (!checked.ok) return {kind: 'unavailable', message: checked.message};
  const model = router.get(request.model);
  const prepared = await prepare(capped(request, cappedTokens));
  const outcome = await callSafely(model, prepared.request, {
    tools: prepared.tools,
    signal,
    onDelta: (text) => {
      if (request.isWithheld !== true) onDelta(request.model, text);
    },
  });
  return cappedTokens === undefined ? outcome : asCapped(outcome, cappedTokens);
}

function capped(request: ModelRequest, most = Infinity): ModelRequest {
  const {maxOutputTokens, outputTokens} = request;
  return {
    ...request,
    maxOutputTokens: Math.min(maxOutputTokens, most),
    ...(outputTokens === undefined ? {} : {outputTokens: Math.min(outputTokens, most)}),
  };
}

/** A reply that the budget has cut off is not asked for again with a higher limit. */
function asCapped(outcome: ModelOutcome, cappedTokens: number): ModelOutcome {
  if (outcome.kind !== 'truncated') return {...outcome, cappedTokens};
  const {nextOutputTokens: _, ...failure} = outcome;
  const message = `${outcome.message}; the rest of the budget (limits.max_cost_usd, --max-cost) allows no longer one`;
  return {...failure, message, cappedTokens};
}

async function survey(
  {workspace, maxBytes, scope}: PortRequest<'surveyWorkspace'>,
  signal: AbortSignal,
  sandbox: PerformerDeps['sandbox'],
): Promise<PortOutcome<'surveyWorkspace'>> {
  const {surveyWorkspace} = await import('../../tools/read/survey.ts');
  const found = await surveyWorkspace(workspace, maxBytes, signal, scope === 'question');
  const sources = found.sources.map(({path, text}) => ({path, text: withoutSecrets(text)}));
  const surveyed = {...found, text: withoutSecrets(found.text), sources};
  if (scope === undefined) return surveyed;
  const {machineFacts} = await import('../../tools/machine/machine.ts');
  const commands = scope === 'work' ? await sandbox.probe(workspace) : undefined;
  const {facts, git} = await machineFacts(workspace, {commands, signal});
  if (!git) return {...surveyed, machine: {facts}};
  const {status, subjects} = git;
  const masked = {status: withoutSecrets(status), subjects: withoutSecrets(subjects)};
  return {...surveyed, machine: {facts, git: masked}};
}

async function runTool(
  request: PortRequest<'runTool'>,
  context: PerformContext,
  {toolbox, locks, snapshots}: PerformerDeps,
): Promise<PortOutcome<'runTool'>> {
  const refusal = unapproved(toolbox, request);
  if (refusal) return refusal;
  if (request.approval !== undefined) {
    // The baseline must be taken before anything changes.
    await snapshots.baselines.of(context.run, request.workspace);
    // A run that was resumed during a call has no lock: its earlier process held it.
    const kept = await lockFor(locks, request.workspace, context);
    if (!kept.locked && !context.signal.aborted) context.onWarning(unlockedWarning(kept.why));
  }
  const outcome = await toolbox.run(request, {
    ...toolContext(request.workspace, context),
    onOutput: (text) => context.onOutput(request.tool, withoutSecrets(text)),
  });
  if (outcome.kind === 'failed' && outcome.code === shortageCode)
    throw new Shortage(outcome.message);
  const {key, changes} = context;
  for (const text of await lossesIn(outcome, request, {context, snapshots}))
    context.onWarning(text);
  return withoutSecretsIn(await changes.complete(key, request.workspace, outcome));
}

/** The changes of a call that `undo` will not take back, in sentences. */
async function lossesIn(
  outcome: ToolOutcome,
  {tool, workspace}: PortRequest<'runTool'>,
  {
    context: {run, key, changes},
    snapshots,
  }: Pick<PerformerDeps, 'snapshots'> & {
    readonly context: PerformContext;
  },
): Promise<readonly string[]> {
  const unkept = changes.unkeptBy(key).map((text) => `undo can't restore ${text}`);
  const isCommand = 'confinement' in outcome && outcome.confinement !== undefined;
  if (!isCommand || outcome.written !== undefined) return unkept;
  const why = (await snapshots.gapOf(workspace, run)) ?? 'they are not known';
  return [...unkept, `undo can't take back the changes of this call of ${tool}: ${why}`];
}

/** Loaded when an interview needs it. */
async function readings() {
  return await import('../../tools/interview/index.ts');
}

/** Holds the run while other runs hold the workspace. */
async function lockFor(
  locks: WorkspaceLocks,
  workspace: string,
  {run, signal, hold, onBusy}: PerformContext,
): Promise<PortOutcome<'lockWorkspace'>> {
  const kept = await locks.lock(run, workspace, {
    signal,
    onBusy: () => {
      hold(true);
      onBusy();
    },
  });
  hold(false);
  return kept;
}

/** The last gate before a high-risk tool: it refuses a call without an approval, independently of the charts. */
function unapproved(toolbox: Toolbox, request: PortRequest<'runTool'>): ToolOutcome | undefined {
  const tool = toolbox.find(request.tool);
  if (!tool || riskOf(tool, request.args) === 'low') return undefined;
  if (request.approval === callHash(request.tool, request.args)) return undefined;
  const message = `${request.tool} was not approved with these arguments; it was not run`;
  return {kind: 'refused', code: 'not_approved', message};
}

function toolContext(
  workspace: string,
  {run, key, signal, recovering, onChild, changes}: PerformContext,
): ToolContext {
  const {onReplaceBy, list: changed} = changes;
  return {run, workspace, signal, recovering, onChild, onReplace: onReplaceBy(key), changed};
}

/** Masks secrets that are recognized by their shape: a tool's texts reach models and the journal. */
function withoutSecretsIn(outcome: ToolOutcome): ToolOutcome {
  const masked = {
    ...('text' in outcome ? {text: withoutSecrets(outcome.text ?? '')} : {}),
    ...('message' in outcome ? {message: withoutSecrets(outcome.message)} : {}),
  };
  if (outcome.kind !== 'succeeded') return Object.assign({}, outcome, masked);
  const sources = outcome.sources?.map(({place, quote}) =>
    quote === undefined ? {place} : {place, quote: withoutSecrets(quote)},
  );
  return {...outcome, ...masked, ...(sources ? {sources} : {})};
}

async function missingFiles(workspace: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      try {
        return (await lstat(resolve(workspace, path))).isFile() ? [] : [path];
      } catch {
        return [path];
      }
    }),
  );
  return found.flat();
}

type AskedOf<P extends Performed> = {
  readonly [Port in P]: {readonly port: Port; readonly request: PortRequest<Port>};
}[P];

/** Performs a request by the function for its port. Throws for the three ports that a person or a resume settles. */
export async function perform(
  performers: Performers,
  asked: Asked,
  context: PerformContext,
): Promise<PortOutcome<Performed>> {
  const {port} = asked;
  if (port === 'askHuman' || port === 'askPerson' || port === 'awaitResume') {
    throw new Error(`port ${port} has no performer`);
  }
  return await performBy(performers, asked, context);
}

async function performBy<P extends Performed>(
  performers: Performers,
  {port, request}: AskedOf<P>,
  context: PerformContext,
): Promise<PortOutcome<P>> {
  return await performers[port](request, context);
}

// Screens a proposal: all policy reviewers judge it, based on one analysis of its commands.

interface ScreeningDeps {
  readonly toolbox: Toolbox;
  /** Policy reviewers besides the built-in ones, by name without `policy/`. */
  readonly policies: Readonly<Record<string, PolicyReviewer>>;
  /** Snapshots for undoing commands, and the baseline of each run's workspace. */
  readonly snapshots: Pick<Snapshots, 'gapOf' | 'isRestorable' | 'unkeptIn' | 'baselines'>;
}

/** Resolves with one ballot per policy, in the order of the request. A policy that misses its own deadline refuses. */
export type Screen = (
  request: PortRequest<'screenProposal'>,
  context: ToolContext,
  onWarning: VerdictContext['onWarning'],
) => Promise<{readonly ballots: readonly Ballot[]}>;

function createScreening({toolbox, policies: added, snapshots}: ScreeningDeps): Screen {
  const once = createMemo<Awaited<ReturnType<typeof load>>>();
  return async ({policies, proposal}, context, onWarning) => {
    const {consultPolicy, verdictOf, analyse} = await once('policies', load);
    const {run, signal} = context;
    const {workspace: place} = proposal.facts;
    const isPlaced = run !== undefined && place !== '';
    const baseline = isPlaced ? await snapshots.baselines.of(run, place) : undefined;
    /** `pending`: the files that the calls before it would write. */
    const ballotsOn = async (one: Proposal, pending: PendingFiles): Promise<Ballot[]> => {
      const known = await analyse(one, {
        pending,
        baseline,
        isRestorable: async (workspace) => await snapshots.isRestorable(workspace, run),
        unkeptIn: async (workspace) => await snapshots.unkeptIn(workspace, run),
        isConfined: isConfinedBy(toolbox, context),
        changed: context.changed,
      });
      const ballots = policies.map(async (policy) => {
        const own = ownReviewer(added, policy);
        const judge = () => (own ? own(one, known) : consultPolicy(policy, one, known));
        return await verdictOf(policy, judge, {signal, onWarning});
      });
      return await Promise.all(ballots);
    };
    const {parts} = proposal;
    if (!parts) return {ballots: await ballotsOn(proposal, new Map())};
    const calls = parts.flatMap(({facts}) => facts.calls.map(toCall));
    const each = await Promise.all(
      parts.map(async (part, at) =>
        ballotsOn(part, await pendingFiles(calls.slice(0, at), toolbox, context)),
      ),
    );
    return {ballots: policies.map((_, at) => together(each.flatMap((own) => own[at] ?? [])))};
  };
}

function toCall({tool, args}: ProposedCall): EarlierCall {
  return {tool, args: asJson(args)};
}

/** The ballot of one policy on several calls, from its ballots on each. */
function together(each: readonly Ballot[]): Ballot {
  const verdict = wholeVerdict(each.map((ballot) => ballot.verdict));
  const own = each.filter((ballot) => ballot.verdict === verdict);
  const rules = unique(own.flatMap((ballot) => ballot.rules ?? []));
  const unknown = unique(own.flatMap((ballot) => ballot.unknown ?? []));
  const suggestedChange = own.find((ballot) => ballot.suggestedChange)?.suggestedChange;
  return {
    verdict,
    reasons: unique(own.flatMap(({reasons}) => reasons)),
    confidence: Math.min(1, ...own.map(({confidence}) => confidence)),
    ...(suggestedChange === undefined ? {} : {suggestedChange}),
    ...(rules.length > 0 ? {rules} : {}),
    ...(unknown.length > 0 ? {unknown} : {}),
    calls: each.map(onCallNumber),
  };
}

function onCallNumber({verdict, reasons, rules, unknown}: Ballot, at: number): CallVerdict {
  return {
    number: at + 1,
    verdict,
    reasons,
    ...(rules ? {rules} : {}),
    ...(unknown ? {unknown} : {}),
  };
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function ownReviewer(added: ScreeningDeps['policies'], policy: string): PolicyReviewer | undefined {
  const name = policyName(policy);
  return Object.hasOwn(added, name) ? added[name] : undefined;
}

/** Loaded for the first proposal. */
async function load() {
  const [index, {createAnalyser}] = await Promise.all([
    import('../policies/index.ts'),
    import('../policies/analysis/analyse.ts'),
  ]);
  return {...index, analyse: createAnalyser()};
}

/** Reads the confinement of a call from its preview. */
function isConfinedBy(toolbox: Toolbox, context: ToolContext): AnalysisDeps['isConfined'] {
  return async ({tool, args}, workspace) => {
    const preview = await toolbox.preview({tool, args: asJson(args), workspace}, context);
    return preview.kind === 'ready' && isConfining(preview.confinement);
  };
}

/** In the order of the calls, each on what those before it leave. What a command writes is not known. Never rejects. */
async function pendingFiles(
  calls: readonly EarlierCall[],
  toolbox: Pick<Toolbox, 'find' | 'preview'>,
  context: ToolContext,
): Promise<PendingFiles> {
  const {workspace} = context;
  const pending: PendingFiles = new Map();
  for (const {tool, args} of calls) {
    const {writes = [], runs} = toolbox.find(tool) ?? {};
    if (writes.length === 0 || runs) continue;
    // oxlint-disable-next-line no-await-in-loop -- each on the ones before
    await toolbox.preview({tool, args, workspace}, {...context, pending});
  }
  return pending;
}

// The current rules of a person that allow commands. They are read anew each time: other processes add and remove rules.

/** Rules for the folder and below. Never rejects: if the list is unreadable, no rule applies and `onWarning` gets the cause. */
export type StandingRules = (
  folder: string,
  onWarning: (message: string) => void,
) => Promise<readonly AllowRule[]>;

/** Without `read`, the rules of the configuration apply. */
export function createStandingRules(
  config: Config,
  read: () => Promise<readonly AllowRule[]> = async () => toAllowRules(config),
): StandingRules {
  return async (folder, onWarning) => {
    try {
      return rulesBelow(folder, await read());
    } catch (error) {
      onWarning(`rules that allow commands are ignored: ${toFailure(error).message}`);
      return [];
    }
  };
}

/** Limits a run to the rules that it needs. */
function rulesBelow(workspace: string, rules: readonly AllowRule[]): readonly AllowRule[] {
  if (workspace === '') return [];
  return rules.filter(({folder}) => folder === workspace || folder.startsWith(`${workspace}/`));
}
