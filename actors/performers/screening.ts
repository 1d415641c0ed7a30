/** Screens a proposal: all policy reviewers judge it, based on one analysis of its commands. */

import {asJson} from '../../machines/domain/json.ts';
import type {CallVerdict, Proposal, ProposedCall} from '../../machines/domain/review.ts';
import {isConfining, type EarlierCall} from '../../machines/domain/tool.ts';
import type {PortRequest} from '../../machines/ports.ts';
import {type Ballot, wholeVerdict} from '../../machines/questions/ballot.ts';
import type {Snapshots, Toolbox} from '../../tools/index.ts';
import {createMemo} from '../../tools/memo.ts';
import type {PendingFiles, ToolContext} from '../../tools/tool.ts';
import type {AnalysisDeps} from '../policies/analysis/analyse.ts';
import {policyName, type PolicyReviewer} from '../policies/names.ts';
import type {VerdictContext} from '../policies/verdict.ts';

export interface ScreeningDeps {
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

export function createScreening({toolbox, policies: added, snapshots}: ScreeningDeps): Screen {
  const once = createMemo<Awaited<ReturnType<typeof load>>>();
  return async ({policies, proposal}, context, onWarning) => {
    const {consultPolicy, verdictOf, analyse} = await once('policies', load);
    const {run, signal} = context;
    const {workspace: place} = proposal.facts;
    const baseline = run === undefined ? undefined : await snapshots.baselines.of(run, place);
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
  const [index, {verdictOf}, {createAnalyser}] = await Promise.all([
    import('../policies/index.ts'),
    import('../policies/verdict.ts'),
    import('../policies/analysis/analyse.ts'),
  ]);
  return {...index, verdictOf, analyse: createAnalyser()};
}

/** Reads the confinement of a call from its preview. */
function isConfinedBy(toolbox: Toolbox, context: ToolContext): AnalysisDeps['isConfined'] {
  return async ({tool, args}, workspace) => {
    const preview = await toolbox.preview({tool, args: asJson(args), workspace}, context);
    return preview.kind === 'ready' && isConfining(preview.confinement);
  };
}

/** In the order of the calls, each on what those before it leave. What a command writes is not known. Never rejects. */
export async function pendingFiles(
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
