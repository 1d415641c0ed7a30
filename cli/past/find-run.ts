/** Finds the run that a command refers to. */

import {existsSync} from 'node:fs';
import {resolve} from 'node:path';

import type {InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import type {Environment} from '../terminal.ts';

/** Maximum number of runs named in a message. */
const maxNamed = 5;

/** By its ID or a unique prefix. Rejects with AppError `not_found`, `usage` for a prefix of several. */
export async function findRow({log}: Journal, id: string): Promise<InteractionRow> {
  const [exact] = await log.list({id});
  return exact ?? rowIn(await log.list(), id);
}

/** Finds several runs, each once, even when it is named twice. */
export async function findRows(
  {log}: Journal,
  ids: readonly string[],
): Promise<readonly InteractionRow[]> {
  const rows = await log.list();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids.map((id) => byId.get(id) ?? rowIn(rows, id)))];
}

function rowIn(rows: readonly InteractionRow[], id: string): InteractionRow {
  const exact = rows.find((listed) => listed.id === id);
  if (exact) return exact;
  const [row, ...others] = id === '' ? [] : rows.filter((listed) => listed.id.startsWith(id));
  if (!row) {
    throw notFound(t`there is no run ${oneLine(id, 80)}`);
  }
  if (others.length === 0) return row;
  const named = [row, ...others].slice(0, maxNamed).map((each) => oneLine(each.id));
  const more = others.length >= maxNamed ? ' …' : '';
  const [start, count, runs] = [oneLine(id, 80), others.length + 1, named.join(', ') + more];
  throw usageError(t`${start} is the beginning of ${count} runs: ${runs}; type more of it`);
}

/** The run with this ID; without one the newest run of the folder. Rejects as `findRow` does. */
export async function findOrNewest(
  journal: Journal,
  id: string | undefined,
  folder = '.',
): Promise<InteractionRow> {
  if (id !== undefined) return await findRow(journal, id);
  const [newest] = await runsIn(journal, folder);
  return newest;
}

/** The run with this ID; without one the newest run of the folder that wrote a file. */
export async function findOrNewestWriter(
  journal: Journal,
  id: string | undefined,
  folder = '.',
): Promise<InteractionRow> {
  if (id !== undefined) return await findRow(journal, id);
  const rows = await runsIn(journal, folder);
  const writer = await firstWriter(journal, rows);
  if (writer) return writer;
  const name = oneLine(rows[0].workspace, 300);
  throw notFound(t`no run in ${name} has written a file`);
}

async function firstWriter(
  journal: Journal,
  [row, ...older]: readonly InteractionRow[],
): Promise<InteractionRow | undefined> {
  if (!row) return undefined;
  const written = (await journal.backups?.list(row.id)) ?? [];
  return written.length > 0 ? row : await firstWriter(journal, older);
}

/** The newest first. Rejects with AppError `not_found` for none. */
async function runsIn(
  {log}: Journal,
  folder: string,
): Promise<readonly [InteractionRow, ...InteractionRow[]]> {
  const {realPath} = await import('../../actors/run/validation.ts');
  const place = realPath(resolve(folder));
  const [newest, ...older] = await log.list({workspace: place});
  if (newest) return [newest, ...older];
  const where = oneLine(place, 300);
  throw new AppError(
    'not_found',
    t`there is no run in ${where}; quorate runs --all lists those of every folder`,
  );
}

/** Finds a run or an interaction below one: `RUN.2.1`. Resolves with the full id. */
export async function findInteraction(journal: Journal, wanted: string): Promise<string> {
  const [run = '', ...numbers] = wanted.split('.');
  const {id} = await findRow(journal, run);
  return [id, ...numbers].join('.');
}

/** True when each is a prefix of a run's ID. Never rejects: false for a journal that can't be read. */
export async function areRuns(ids: readonly string[], env: Environment): Promise<boolean> {
  const {journalFile, openToRead} = await import('./open-journal.ts');
  if (!existsSync(journalFile(env))) return false;
  try {
    const journal = await openToRead({env});
    try {
      const rows = await journal.log.list();
      const runs = ids.map((id) => id.split('.')[0] ?? id);
      return runs.every((run) => rows.some((row) => row.id.startsWith(run)));
    } finally {
      await journal.close();
    }
  } catch {
    return false;
  }
}

/**
 * The open runs in the folder that no process is running, the newest first, without imported ones. Rejects with AppError
 * `not_found` for none.
 */
export async function openRuns(
  {log, owners}: Journal,
  folder: string,
): Promise<readonly [InteractionRow, ...InteractionRow[]]> {
  const {realPath} = await import('../../actors/run/validation.ts');
  const place = realPath(folder);
  const rows = (await log.list({workspace: place})).filter(
    ({status, imported}) => status === undefined && !imported,
  );
  const tenures = await Promise.all(rows.map(async ({id}) => await owners.tenureOf(id)));
  const [newest, ...older] = rows.filter((_, index) => tenures[index] !== 'owned');
  if (newest) return [newest, ...older];
  const where = oneLine(place, 300);
  throw notFound(
    rows.length > 0
      ? t`every open run in ${where} is running already`
      : t`no run is open in ${where}`,
  );
}

function notFound(why: Message): Error {
  return new AppError('not_found', t`${why}; quorate runs lists them`);
}
