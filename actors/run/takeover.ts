/** Takes over a run whose process is gone: to continue it, or to end it, with or without a replay. */

import {setTimeout as wait} from 'node:timers/promises';

import {AppError} from '../../machines/domain/app-error.ts';
import {
  type InteractionForm,
  parseInteractionForm,
} from '../../machines/domain/interaction-form.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {CustomTool} from '../../tools/custom/definition.ts';
import type {Snapshots} from '../../tools/index.ts';
import {endMarked, endProcessGroup, markOf} from '../../tools/run/processes.ts';
import {settingsAfter} from '../config/change.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Move} from '../engine/effect.ts';
import {begunIn, requireUsable, noSuchRun, requireOwnRun} from '../journal/chain.ts';
import type {Begun, Children, Entry, Journal, Salvaged} from '../journal/journal.ts';
import type {ResumeWith} from '../runtime-api.ts';
import type {Redactor} from '../secrets/redact.ts';
import {createKeeper} from '../undo/backups.ts';
import {chartsVersion} from '../version.ts';
import {usageIn} from './ledger.ts';
import {request} from './messages.ts';
import {
  moveIn,
  movedTo,
  type Needs,
  type OpenedInput,
  openedIn,
  receivedIn,
  requireHere,
} from './run-input.ts';
import {LiveRun, type RunDeps} from './run.ts';
import {checkedWorkspace, isFolder, withoutFolder} from './validation.ts';

/** The dependencies of a takeover, in addition to those of the run itself. */
export interface TakeoverDeps extends Omit<RunDeps, 'redactor'> {
  readonly redactor: Redactor;
  readonly snapshots: Snapshots;
  /** Of this configuration. */
  readonly customTools: readonly CustomTool[];
}

export interface ResumeOptions {
  /** Delivered before anything is performed. */
  readonly events?: readonly JsonObject[];
  /** Settings that change from here on. */
  readonly settings?: ConfigInput | undefined;
  /** As in `ResumeWith`. */
  readonly prepare?: ResumeWith['prepare'] | undefined;
  /** As in `ResumeWith`. */
  readonly workspace?: string | undefined;
  /** Throws AppError when a requirement is missing, before the journal records that the run continues. Absent: none. */
  readonly check?: (needs: Needs) => void;
  readonly onEvent?: ((event: ProgressEvent) => void) | undefined;
  /** Warnings for a person before the run continues. Absent: none. Never rejects. */
  readonly warningsOf?: (run: OpenedInput) => Promise<readonly string[]>;
}

/**
 * Continues an open run. Rejects with AppError `not_found`, `busy`, `divergence` or `journal_corrupt`, and as `prepare` and
 * `check` do. Children that a dead process left are ended in every case except `busy`.
 */
export async function resumeRun(
  id: string,
  deps: TakeoverDeps,
  options: ResumeOptions = {},
): Promise<LiveRun> {
  const {events = [], settings, prepare, check, onEvent, warningsOf = noWarnings} = options;
  const {owners, log} = deps.journal;
  const owned = await owners.own(id);
  try {
    await endChildren(id, deps.host.children);
    const salvaged = await log.salvage(id);
    requireHere(openedIn(salvaged.entries), deps.host);
    await settleCommand(id, salvaged, deps);
    const {entries, lost} = requireUsable(salvaged);
    requireOwnRun(id, salvaged);
    const opened = openedIn(entries);
    if (!opened) throw noSuchRun(id);
    refuseClosed(id, entries);
    const {input, move, movesTo} = placeFor(opened, moveIn(entries), options.workspace);
    await prepare?.(entries);
    const redactor = deps.redactor.within(input.workspace);
    const run = new LiveRun(input, {...deps, redactor}, onEvent, move);
    const now = settingsAfter(input, receivedIn(entries));
    const changes = settings ? [deps.settingsEvent(settings, input.form, now)] : [];
    const warnings = [...warningsOn(entries, lost), ...(await warningsOf(input))];
    try {
      const received = [...changes, ...events];
      await run.resume(owned, entries, {events: received, lost, warnings, check, movesTo});
    } catch (error) {
      throw withVersions(error, entries);
    }
    return run;
  } catch (error) {
    await owned.release();
    throw error;
  }
}

/** How long a process that has a run is asked for it, and how often. */
const borrowMs = 3_000;
const askMs = 100;

/**
 * Asks the process that has the run to leave it, which it does if the run waits only for a person. Rejects as `resume`. A run of
 * another machine is left where it is.
 */
export async function borrowed<T>(
  id: string,
  {journal: {log, inbox}, host}: Pick<TakeoverDeps, 'journal' | 'host'>,
  resume: () => Promise<T>,
): Promise<T> {
  try {
    return await resume();
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
  const [row] = await log.list({id});
  requireHere(row, host);
  return await untilLent(id, inbox, resume, performance.now() + borrowMs);
}

async function untilLent<T>(
  id: string,
  inbox: Journal['inbox'],
  resume: () => Promise<T>,
  until: number,
): Promise<T> {
  await inbox.post(id, request);
  await wait(askMs);
  try {
    return await resume();
  } catch (error) {
    if (!isBusy(error) || performance.now() >= until) throw error;
  }
  return await untilLent(id, inbox, resume, until);
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'busy';
}

/** Throws AppError `usage` when the run would move although its folder is still there. */
function placeFor(
  opened: OpenedInput,
  before: Move | undefined,
  wanted: string | undefined,
): {
  readonly input: OpenedInput;
  readonly move: Move | undefined;
  readonly movesTo: string | undefined;
} {
  const [from, now] = [opened.workspace, before?.to ?? opened.workspace];
  if (from === '') withoutFolder(opened.id, wanted);
  const to = wanted === undefined ? now : checkedWorkspace(wanted);
  if (to !== now && isFolder(now)) {
    throw new AppError(
      'usage',
      `run ${opened.id} works in ${now}, which is still there; to continue it in another folder, fork it`,
    );
  }
  return {
    input: movedTo(opened, to),
    move: to === from ? undefined : {from, to},
    movesTo: to === now ? undefined : to,
  };
}

/** A divergence of a run that other charts recorded names both versions. */
function withVersions(error: unknown, [opened]: readonly Entry[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'divergence') return error;
  if (opened?.type !== 'opened' || opened.version === chartsVersion()) return error;
  return new AppError(
    'divergence',
    `it was recorded by version ${opened.version} of the charts, and this is version ${chartsVersion()}: ${error.message}`,
    {cause: error},
  );
}

async function noWarnings(): Promise<readonly string[]> {
  return await Promise.resolve([]);
}

/**
 * Ends an open run that can't be replayed: appends the result that can be derived from its journal. Rejects with AppError
 * `not_found`, `busy` or `io`, and with `why` when the form of the run is unknown.
 */
export async function closeUnreplayed(
  id: string,
  {journal, host}: Pick<TakeoverDeps, 'journal' | 'host'>,
  why: AppError,
): Promise<RunResult> {
  const {owners, log} = journal;
  const owned = await owners.own(id);
  try {
    await endChildren(id, host.children);
    const form = await openForm(id, journal);
    if (!form) throw why;
    const {entries, lost = []} = await log.salvage(id);
    const {settled, unknown} = progressOf(entries, lost);
    const result: RunResult = {
      type: 'result',
      status: 'cancelled',
      exitCode: 1,
      interaction: id,
      form,
      summary: `Cancelled after ${settled.size} recorded outcomes; the journal could not be replayed (${why.code}).`,
      usage: usageOf(entries),
      ...(unknown.length > 0 ? {inDoubt: unknown} : {}),
    };
    const at = Math.max(Date.now(), entries.at(-1)?.at ?? 0);
    const bodies = [{type: 'closed', result: asJson(result)}] as const;
    await log.append([{interaction: id, bodies, at}]);
    return result;
  } finally {
    await owned.release();
  }
}

/** The form in the list, which damaged entries do not affect. Rejects with AppError `not_found` for a run that has ended. */
async function openForm(id: string, {log}: Journal): Promise<InteractionForm | undefined> {
  const [row] = await log.list({id});
  if (row?.status !== undefined) throw hasEnded(id);
  return parseInteractionForm(row?.form ?? '');
}

/** Ends the remaining child processes of a dead process. A takeover does this first. */
export async function endChildren(id: string, children: Children): Promise<void> {
  for (const {processGroup, startedAt} of await children.list(id)) {
    endProcessGroup(processGroup, startedAt);
    if (startedAt !== '') endMarked(markOf(processGroup, startedAt), true);
  }
  await children.forget(id);
}

/** Keeps the changes of a command that the dead process was running, so that they can be undone. */
async function settleCommand(
  id: string,
  {entries}: Salvaged,
  {journal, redactor, snapshots}: Pick<TakeoverDeps, 'journal' | 'redactor' | 'snapshots'>,
): Promise<void> {
  const keep = createKeeper(id, journal.backups, redactor);
  const {unknown} = progressOf(entries, []);
  const effect = unknown.length === 1 ? unknown[0] : undefined;
  await snapshots.settle(id, async (replacements) => await keep(replacements, effect));
}

function warningsOn([opened]: readonly Entry[], lost: readonly Begun[]): string[] {
  const isOfAnother = opened?.type === 'opened' && opened.version !== chartsVersion();
  const begun = lost.length === 1 ? 'a call that had begun' : `${lost.length} calls that had begun`;
  return [
    ...(isOfAnother ? ['the run was opened by another version of Quorate'] : []),
    ...(lost.length === 0
      ? []
      : [
          `the end of the journal is lost, and with it the outcome of ${begun}; a person is asked before the same call, or one in its place, is made again`,
        ]),
  ];
}

function refuseClosed(id: string, entries: readonly Entry[]): void {
  if (entries.at(-1)?.type !== 'closed') return;
  throw hasEnded(id);
}

function hasEnded(id: string): AppError {
  return new AppError('not_found', `the run ${id} has ended; see: quorate show ${id}`);
}

/** Keys of effects in the entries: those with an outcome, and the unrepeatable ones that were begun without an outcome. */
function progressOf(
  entries: readonly Entry[],
  lost: readonly Begun[],
): {
  readonly settled: ReadonlySet<string>;
  readonly unknown: readonly string[];
} {
  const settled = new Set(
    entries.flatMap((entry) => (entry.type === 'settled' ? [entry.key] : [])),
  );
  const unknown = [...begunIn([...entries, ...lost]).keys()].filter((key) => !settled.has(key));
  return {settled, unknown};
}

function usageOf(entries: readonly Entry[]): RunResult['usage'] {
  const totals = {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0};
  for (const entry of entries) {
    const usage = entry.type === 'settled' && isJsonObject(entry.outcome) && usageIn(entry.outcome);
    if (!usage) continue;
    totals.modelCalls += 1;
    totals.inputTokens += usage.inputTokens;
    totals.outputTokens += usage.outputTokens;
    totals.cachedTokens += usage.cachedTokens;
  }
  return totals;
}
