/** Analyses a proposal's commands once, for all policy reviewers. */

import {deletionClaims} from '../../../machines/claims/deletion-claims.ts';
import {writeClaims} from '../../../machines/claims/write-claims.ts';
import {commandIn, type Evidence, filesWritten} from '../../../machines/domain/evidence.ts';
import type {Proposal, ProposedCall} from '../../../machines/domain/review.ts';
import type {Place} from '../../../tools/commands/effect.ts';
import {projectAddresses, sourcesDeclared} from '../../../tools/commands/look/project-addresses.ts';
import {goesOut} from '../../../tools/commands/reached.ts';
import type {Surroundings} from '../../../tools/commands/surroundings.ts';
import type {Understanding} from '../../../tools/commands/understanding.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';
import {readArguments} from '../call.ts';
import {claimsOf} from '../fact-check.ts';
import {insidePath} from '../inside.ts';
import {emptyAnalysis, type CommandAnalysis} from './analysis.ts';
import {touchedBy} from './known-code.ts';
import {recheckEffects} from './recheck.ts';
import {scriptsIn} from './scripts.ts';

/** None of these functions rejects. */
export interface AnalysisDeps {
  /** Read access to a workspace. */
  readonly surroundingsOf: (workspace: string) => Surroundings;
  /** Used if no preview has reported the confinement of the call. */
  readonly isConfined: (call: ProposedCall, workspace: string) => Promise<boolean>;
  readonly isRestorable: (workspace: string) => Promise<boolean>;
  /** Paths that any interaction of the run has changed. Absent: only the evidence of the proposal is used. */
  readonly changed?: (() => Promise<readonly string[]>) | undefined;
  /** Files that undo cannot restore. Absent: unknown. */
  readonly unkeptIn?: (workspace: string) => Promise<readonly Unkept[]>;
}

const maxCalls = 60;
const maxPast = 50;
const maxKept = 500;
const maxClaimed = 50;

/** Returns a function that analyses proposals. It analyses each command that ran before only once. Never rejects. */
export function createAnalyser(): (
  proposal: Proposal,
  deps: AnalysisDeps,
) => Promise<CommandAnalysis> {
  const past: Past = new Map();
  return async (proposal, deps) => await analyseWith(proposal, deps, past);
}

export async function analyseProposal(
  proposal: Proposal,
  deps: AnalysisDeps,
): Promise<CommandAnalysis> {
  return await createAnalyser()(proposal, deps);
}

/** Analyses of commands that ran, by workspace, folder and command. */
type Past = Map<string, Promise<Understanding>>;

async function analyseWith(
  proposal: Proposal,
  deps: AnalysisDeps,
  past: Past,
): Promise<CommandAnalysis> {
  const {kind, facts} = proposal;
  if (kind === 'diff') return emptyAnalysis;
  const {workspace, evidence} = facts;
  const calls = facts.calls.map(readArguments);
  const runner = facts.calls.find((_, at) => calls[at]?.code !== undefined);
  const before: Bench = {
    workspace,
    surroundings: deps.surroundingsOf(workspace),
    written: filesWritten(evidence).map((path) => insidePath(path, workspace) ?? path),
    touched: [],
  };
  const done = await pastOf(before, evidence, past);
  const changed = (await deps.changed?.()) ?? [];
  const touched = [
    ...changed.map((path) => insidePath(path, workspace) ?? path),
    ...touchedBy(facts, done),
  ];
  const bench = {...before, touched};
  const runsConfined = async (): Promise<boolean> => {
    if (facts.confinement !== undefined) return facts.confinement === 'confined';
    return runner !== undefined && (await deps.isConfined(runner, workspace));
  };
  const commands = await each(calls, async ({code, folder}, at) =>
    code === undefined ? undefined : await commandOf(bench, code, folder, at < maxCalls),
  );
  const looks = await each(commands, async (command) =>
    command && kind !== 'result' ? await recheckEffects(command, bench.surroundings) : [],
  );
  return {
    calls: commands,
    found: looks.flat(),
    scripts: await each(calls, async ({writes, puts}, at) => {
      const texts = at < maxCalls ? writes.flatMap((path) => scriptsIn(path, puts)) : [];
      return await each(texts, async ({text, folder}) => await commandOf(bench, text, folder));
    }),
    done,
    claimed: kind === 'result' ? await placesOf(bench, proposal) : {},
    ...(await addressesFor(commands, bench, evidence)),
    isUnversioned: runner !== undefined && (await isUnversioned(bench)),
    isConfined: await runsConfined(),
    isRestorable: runner !== undefined && (await deps.isRestorable(workspace)),
    unkept: runner === undefined ? [] : ((await deps.unkeptIn?.(workspace)) ?? []),
  };
}

/** The context in which commands are analysed. */
interface Bench {
  readonly workspace: string;
  readonly surroundings: Surroundings;
  /** Relative to the workspace. */
  readonly written: readonly string[];
  /** Further paths that may have changed. Used to judge code. */
  readonly touched: readonly string[];
}

async function commandOf(
  {workspace, surroundings, written, touched}: Bench,
  command: string,
  given: string,
  isWithin = true,
): Promise<Understanding> {
  if (!isWithin) return unknownBecause(command, `there are more than ${maxCalls} calls`);
  const folder = insidePath(given, workspace);
  if (folder === undefined) return unknownBecause(given, 'it starts outside the workspace');
  const {understand} = await import('../../../tools/commands/understand.ts');
  return await understand(command, {surroundings, folder, written, touched});
}

function unknownBecause(word: string, why: string): Understanding {
  return {effects: [], unknown: [{word, why}], followed: [], commands: []};
}

/** Analyses of the latest `maxPast` commands that ran, based on the current workspace when first analysed. */
async function pastOf(
  bench: Bench,
  evidence: readonly Evidence[],
  past: Past,
): Promise<(Understanding | undefined)[]> {
  const commands = evidence.map((entry) => commandIn(entry));
  const latest = new Set(commands.filter((text) => text !== undefined).slice(-maxPast));
  return await each(evidence, async ({folder = ''}, at) => {
    const command = commands[at];
    if (command === undefined || !latest.has(command)) return undefined;
    const key = JSON.stringify([bench.workspace, folder, command]);
    const known = past.get(key) ?? commandOf(bench, command, folder);
    if (past.size >= maxKept) past.clear();
    past.set(key, known);
    return await known;
  });
}

/** Addresses in unchanged manifests (`addresses`), and in manifests that this run has changed (`declared`). */
async function addressesFor(
  commands: readonly (Understanding | undefined)[],
  {surroundings, workspace}: Bench,
  evidence: readonly Evidence[],
): Promise<Pick<CommandAnalysis, 'addresses' | 'declared'>> {
  const effects = commands.flatMap((command) => command?.effects ?? []);
  const installs = effects.some(({kind}) => kind === 'installs');
  if (!installs && !effects.some(goesOut)) return {addresses: [], declared: []};
  const wrote = evidence.filter(({did}) => did === 'wrote');
  const changed = new Set(wrote.map(({target}) => insidePath(target, workspace) ?? target));
  return {
    addresses: await projectAddresses(surroundings, (path) => changed.has(path)),
    declared: installs ? await sourcesDeclared(surroundings, (path) => changed.has(path)) : [],
  };
}

async function isUnversioned({surroundings}: Bench): Promise<boolean> {
  const git = await surroundings.placeOf('.git');
  const head = await surroundings.placeOf('.git/HEAD');
  if (git.state !== 'absent' && !(git.isFolder && head.state === 'absent')) return false;
  const {state} = await surroundings.placeOf('');
  return state === 'untracked' || state === 'written';
}

async function placesOf({surroundings}: Bench, {facts}: Proposal): Promise<Record<string, Place>> {
  const texts = claimsOf(facts);
  const claimed = [
    ...texts.flatMap((text) => writeClaims(text)),
    ...texts.flatMap((text) => deletionClaims(text)),
  ];
  const names = [...new Set(claimed)].slice(0, maxClaimed);
  const places = await each(names, async (name) => [name, await surroundings.placeOf(name)]);
  return Object.fromEntries(places);
}

async function each<In, Out>(
  list: readonly In[],
  look: (one: In, at: number) => Promise<Out>,
): Promise<Out[]> {
  return await Promise.all(list.map(look));
}
