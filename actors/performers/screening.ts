/** Screens a proposal: all policy reviewers judge it, based on one analysis of its commands. */

import {asJson} from '../../machines/domain/json.ts';
import type {PortRequest} from '../../machines/ports.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import type {Snapshots, Toolbox, ToolContext} from '../../tools/index.ts';
import {createMemo} from '../../tools/memo.ts';
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
    const {consultPolicy, verdictOf, analyse, createSurroundings} = await once('policies', load);
    const {run, signal} = context;
    const {workspace: place} = proposal.facts;
    const baseline = run === undefined ? undefined : await snapshots.baselines.of(run, place);
    const known = await analyse(proposal, {
      surroundingsOf: (workspace) => createSurroundings(workspace, baseline),
      isRestorable: async (workspace) => await snapshots.isRestorable(workspace, run),
      unkeptIn: async (workspace) => await snapshots.unkeptIn(workspace, run),
      isConfined: isConfinedBy(toolbox, context),
      changed: context.changed,
    });
    const ballots = policies.map(async (policy) => {
      const own = ownReviewer(added, policy);
      const judge = () => (own ? own(proposal, known) : consultPolicy(policy, proposal, known));
      return await verdictOf(policy, judge, {signal, onWarning});
    });
    return {ballots: await Promise.all(ballots)};
  };
}

function ownReviewer(added: ScreeningDeps['policies'], policy: string): PolicyReviewer | undefined {
  const name = policyName(policy);
  return Object.hasOwn(added, name) ? added[name] : undefined;
}

/** Loaded for the first proposal. */
async function load() {
  const [index, {verdictOf}, {createAnalyser}, {createSurroundings}] = await Promise.all([
    import('../policies/index.ts'),
    import('../policies/verdict.ts'),
    import('../policies/analysis/analyse.ts'),
    import('../../tools/commands/surroundings-of.ts'),
  ]);
  return {...index, verdictOf, analyse: createAnalyser(), createSurroundings};
}

/** Reads the confinement of a call from its preview. */
function isConfinedBy(toolbox: Toolbox, context: ToolContext): AnalysisDeps['isConfined'] {
  return async ({tool, args}, workspace) => {
    const preview = await toolbox.preview({tool, args: asJson(args), workspace}, context);
    return preview.kind === 'ready' && preview.confinement === 'confined';
  };
}
