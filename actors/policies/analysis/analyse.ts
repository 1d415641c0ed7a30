/** Analyses a proposal's commands once, for all policy reviewers. */

import {deletionClaims, writeClaims} from '../../../machines/claims/claims.ts';
import {commandIn, type Evidence} from '../../../machines/domain/evidence.ts';
import type {Proposal, ProposedCall} from '../../../machines/domain/review.ts';
import {isConfining} from '../../../machines/domain/tool.ts';
import type {CommandAsked} from '../../../tools/commands/reading.ts';
import type {Place, Understanding} from '../../../tools/commands/understanding.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';
import {insidePath, readArguments} from '../call.ts';
import {claimsOf} from '../evidence.ts';
import {emptyAnalysis, type CommandAnalysis} from './analysis.ts';

/** None of these functions rejects. */
export interface AnalysisDeps {
  /** The files that the calls before it would write. Absent: none. */
  readonly pending?: CommandAsked['pending'];
  /** The repository when the run began. Absent: as it is now. */
  readonly baseline?: CommandAsked['baseline'];
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
  return async (proposal, deps) => await analyse(proposal, deps, past);
}

export async function analyseProposal(
  proposal: Proposal,
  deps: AnalysisDeps,
): Promise<CommandAnalysis> {
  return await createAnalyser()(proposal, deps);
}

/** The latest analyses of commands, by workspace, folder and command. */
type Past = Map<string, Promise<Understanding>>;

function pastKey({workspace}: Bench, folder: string, command: string): string {
  return JSON.stringify([workspace, folder, command]);
}

function keep(past: Past, key: string, command: Promise<Understanding>): void {
  if (past.size >= maxKept) past.clear();
  past.set(key, command);
}

async function analyse(
  proposal: Proposal,
  deps: AnalysisDeps,
  past: Past,
): Promise<CommandAnalysis> {
  const {kind, facts} = proposal;
  if (kind === 'diff') return emptyAnalysis;
  const {workspace, evidence} = facts;
  const calls = facts.calls.map(readArguments);
  const runner = facts.calls.find((_, at) => calls[at]?.code !== undefined);
  // A command or a write that failed may have changed files as well.
  const wrote = evidence.filter(({did}) => did === 'wrote').map(({target}) => target);
  const changed = [...wrote, ...((await deps.changed?.()) ?? [])];
  const {pending, baseline} = deps;
  const bench: Bench = {workspace, changed, pending, baseline};
  const done = await pastOf(bench, evidence, past);
  const runsConfined = async (): Promise<boolean> => {
    if (facts.confinement !== undefined) return isConfining(facts.confinement);
    return runner !== undefined && (await deps.isConfined(runner, workspace));
  };
  const commands = await each(calls, async ({code, folder}, at) => {
    if (code === undefined) return undefined;
    const command = commandOf(bench, code, folder, at < maxCalls);
    keep(past, pastKey(bench, folder, code), command);
    return await command;
  });
  return {
    calls: commands,
    done,
    claimed: kind === 'result' ? await placesOf(bench, proposal) : {},
    isConfined: await runsConfined(),
    isRestorable: runner !== undefined && (await deps.isRestorable(workspace)),
    unkept: runner === undefined ? [] : ((await deps.unkeptIn?.(workspace)) ?? []),
  };
}

/** The context in which commands are analysed. */
type Bench = Omit<CommandAsked, 'command' | 'folder'>;

async function commandOf(
  bench: Bench,
  command: string,
  given: string,
  isWithin = true,
): Promise<Understanding> {
  if (!isWithin) return unknownBecause(command, `there are more than ${maxCalls} calls`);
  const folder = insidePath(given, bench.workspace);
  if (folder === undefined) return unknownBecause(given, 'it starts outside the workspace');
  const {readCommand} = await import('../../../tools/commands/reading.ts');
  return (await readCommand({...bench, command, folder})).understanding;
}

function unknownBecause(word: string, why: string): Understanding {
  return {effects: [], unknown: [{word, why}], followed: [], commands: []};
}

/** Analyses of the latest `maxPast` commands that ran: as they were judged, or based on the current workspace. */
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
    const key = pastKey(bench, folder, command);
    const known = past.get(key) ?? commandOf(bench, command, folder);
    keep(past, key, known);
    return await known;
  });
}

async function placesOf(
  {workspace, baseline}: Bench,
  {facts}: Proposal,
): Promise<Record<string, Place>> {
  const {createSurroundings} = await import('../../../tools/commands/surroundings.ts');
  const {placeOf} = createSurroundings(workspace, baseline);
  const texts = claimsOf(facts);
  const claimed = [
    ...texts.flatMap((text) => writeClaims(text)),
    ...texts.flatMap((text) => deletionClaims(text)),
  ];
  const names = [...new Set(claimed)].slice(0, maxClaimed);
  const places = await each(names, async (name) => [name, await placeOf(name)]);
  return Object.fromEntries(places);
}

async function each<In, Out>(
  list: readonly In[],
  look: (one: In, at: number) => Promise<Out>,
): Promise<Out[]> {
  return await Promise.all(list.map(look));
}
