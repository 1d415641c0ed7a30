/** Which run is meant. */

import {realpathSync} from 'node:fs';

import type {InteractionRow, Journal} from '../actors/journal/journal.ts';
import {AppError} from '../machines/domain/app-error.ts';
import {oneLine} from './lines/text.ts';

/** Rejects with AppError `not_found`. */
export async function findRow({log}: Journal, id: string): Promise<InteractionRow> {
  const row = (await log.list()).find((listed) => listed.id === id);
  if (row) return row;
  throw notFound(`there is no run ${oneLine(id, 80)}`);
}

/** The newest open run in the folder that no process is running. Rejects with AppError `not_found`. */
export async function newestOpen({log, owners}: Journal, folder: string): Promise<InteractionRow> {
  const place = realPath(folder);
  const rows = (await log.list()).filter(
    ({status, workspace}) => status === undefined && workspace === place,
  );
  const tenures = await Promise.all(rows.map(async ({id}) => await owners.tenureOf(id)));
  const row = rows.find((_, index) => tenures[index] !== 'owned');
  if (row) return row;
  const which = rows.length > 0 ? 'no run is open but those at work' : 'no run is open';
  throw notFound(`${which} in ${oneLine(place, 300)}`);
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function notFound(what: string): AppError {
  return new AppError('not_found', `${what}; quorate sessions lists them`);
}
