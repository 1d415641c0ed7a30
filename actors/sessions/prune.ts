/** Removes old, large or unwanted runs from the journal, and gives their space back to the disk. */

import {AppError} from '../../machines/domain/app-error.ts';
import {type Failure, toFailure} from '../../machines/domain/failure.ts';
import {begunIn} from '../journal/chain.ts';
import type {InteractionRow, Journal, Shrunk} from '../journal/journal.ts';

/** The criteria: a run is removed when all of the given ones hold. */
export interface PruneOptions {
  /** Its last entry is at least so old, ms. */
  readonly olderThanMs?: number;
  /** Its entries and the earlier contents of its files take at least so many bytes. */
  readonly largerThanBytes?: number;
  /** It has this form. */
  readonly form?: string;
  /** Keeps runs that have not ended. */
  readonly keepOpen?: boolean;
  /** Removes no other runs than these, as an earlier report shows them, and none that has continued since. */
  readonly only?: readonly Pick<InteractionRow, 'id' | 'updatedAt'>[];
  /** Removes nothing: resolves with the report of what would be done. */
  readonly dryRun?: boolean;
}

export interface PrunedRun extends Pick<
  InteractionRow,
  'id' | 'form' | 'request' | 'status' | 'updatedAt'
> {
  /** Of its entries and the earlier contents of its files. */
  readonly bytes: number;
}

export interface KeptRun extends PrunedRun {
  /**
   * `running`: a process runs it. `open`: it has not ended, and such runs are to be kept. `inDoubt`: it has not ended, and an
   * effect of it may have happened or not. `changed`: it is not in `only`, or it has continued since. `failed`: it could not be
   * removed, see `error`.
   */
  readonly why: 'running' | 'open' | 'inDoubt' | 'changed' | 'failed';
  readonly error?: Failure;
}

export interface PruneReport {
  /** The oldest first. */
  readonly removed: readonly PrunedRun[];
  /** The runs that meet the criteria and are kept all the same. */
  readonly kept: readonly KeptRun[];
  /** How many runs do not meet the criteria. */
  readonly others: number;
  /** Sizes of the journal's files; absent when nothing was removed, or when the journal can't be made smaller now. */
  readonly files?: Shrunk;
  /** The reason why the files could not be made smaller. The space is used again by later runs. */
  readonly error?: Failure;
}

/** Erases a run. Resolves with false, and erases nothing, when entries followed since. Rejects as `erase` of the runtime does. */
type EraseUnchanged = (id: string, updatedAt: number) => Promise<boolean>;

/** Rejects with AppError `usage` without a criterion. */
export async function pruneRuns(
  options: PruneOptions,
  journal: Journal,
  erase: EraseUnchanged,
): Promise<PruneReport> {
  requireCriterion(options);
  const all = await sizedRows(journal);
  const matching = all.filter((row) => meets(row, options, Date.now()));
  const pruning = {options, journal, erase};
  const outcomes = await Array.fromAsync(matching, async (row) => await settle(row, pruning));
  const removed = matching.filter((_, index) => outcomes[index] === undefined).map(prunedOf);
  const kept = matching.flatMap((row, index): KeptRun[] => {
    const left = outcomes[index];
    return left ? [Object.assign(prunedOf(row), left)] : [];
  });
  const others = all.length - matching.length;
  const isShrunk = removed.length > 0 && options.dryRun !== true;
  return {removed, kept, others, ...(isShrunk ? await shrink(journal) : {})};
}

function requireCriterion({olderThanMs, largerThanBytes, form}: PruneOptions): void {
  if (olderThanMs !== undefined || largerThanBytes !== undefined || form !== undefined) return;
  throw new AppError('usage', 'prune needs a criterion: an age, a size or a form');
}

/** With the sizes of their backups. The oldest first. */
async function sizedRows({log, backups}: Journal): Promise<InteractionRow[]> {
  const sizes = await backups?.sizes();
  const rows = await log.list();
  return rows
    .map((row) => Object.assign({}, row, {bytes: row.bytes + (sizes?.get(row.id) ?? 0)}))
    .toSorted((a, b) => a.updatedAt - b.updatedAt);
}

function meets(
  {updatedAt, bytes, form}: InteractionRow,
  {olderThanMs = 0, largerThanBytes = 0, form: wanted = form}: PruneOptions,
  now: number,
): boolean {
  return now - updatedAt >= olderThanMs && bytes >= largerThanBytes && form === wanted;
}

function prunedOf({id, form, request, status, updatedAt, bytes}: InteractionRow): PrunedRun {
  return {id, form, request, status, updatedAt, bytes};
}

interface Pruning {
  readonly options: PruneOptions;
  readonly journal: Journal;
  readonly erase: EraseUnchanged;
}

type Left = Pick<KeptRun, 'why' | 'error'>;

/** Removes a run. Resolves with the reason when it is kept. */
async function settle(
  row: InteractionRow,
  {options, journal, erase}: Pruning,
): Promise<Left | undefined> {
  const why = await reasonToKeep(row, options, journal);
  if (why) return {why};
  if (!isChosen(row, options)) return {why: 'changed'};
  if (options.dryRun === true) return undefined;
  try {
    return (await erase(row.id, row.updatedAt)) ? undefined : {why: 'changed'};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found') return undefined;
    return error.code === 'busy' ? {why: 'running'} : {why: 'failed', error: toFailure(error)};
  }
}

function isChosen({id, updatedAt}: InteractionRow, {only}: PruneOptions): boolean {
  return only?.some((run) => run.id === id && run.updatedAt === updatedAt) ?? true;
}

async function reasonToKeep(
  {id, status}: InteractionRow,
  {keepOpen}: PruneOptions,
  {owners, log}: Journal,
): Promise<KeptRun['why'] | undefined> {
  if ((await owners.tenureOf(id)) === 'owned') return 'running';
  if (status !== undefined) return undefined;
  if (keepOpen === true) return 'open';
  const {entries, lost = []} = await log.salvage(id);
  const settled = new Set(entries.flatMap((each) => (each.type === 'settled' ? [each.key] : [])));
  const isInDoubt = [...begunIn([...entries, ...lost]).keys()].some((key) => !settled.has(key));
  return isInDoubt ? 'inDoubt' : undefined;
}

async function shrink({shrink: reduce}: Journal): Promise<Pick<PruneReport, 'files' | 'error'>> {
  if (!reduce) return {};
  try {
    return {files: await reduce()};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {error: toFailure(error)};
  }
}

// The part of a runtime that removes runs from its journal, and writes them to be read elsewhere.

export interface Retention {
  /**
   * Removes a run, ended or not, from the journal with all of its data: its entries, the earlier contents of its files, its
   * messages. Files that it wrote to its workspace stay. Rejects with AppError `not_found`, `busy` while it is at work in any
   * process, or `io` when some of its data may remain.
   */
  readonly erase: (id: string) => Promise<void>;
  /**
   * Erases the runs that meet all of the given criteria, and makes the files of the journal smaller. Keeps runs at work, and open
   * runs with an effect that may have happened or not. Rejects with AppError `usage` without a criterion.
   */
  readonly prune: (options: PruneOptions) => Promise<PruneReport>;
  /**
   * The lines of a run for reading, without line feeds: one entry a line as JSON. Rejects with AppError `not_found`, or with `journal_corrupt` after the entries before the damage.
   */
  readonly export: (id: string) => AsyncIterable<string>;
}
