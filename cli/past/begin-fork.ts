/** Begins a forked run, and reads what its screen shows of the past. */

import type {Entry, InteractionRow, Journal} from '../../actors/journal/journal.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {DecisionFlag} from '../line/decision-flag.ts';
import {type Recorded, recordedIn} from './continued.ts';
import {findRow} from './find-run.ts';

type Prepare = (entries: readonly Entry[]) => Promise<void>;

export interface BegunFork {
  readonly row: InteractionRow;
  readonly run: Run;
  readonly recorded: Recorded;
}

/** `fork` begins the run. Rejects as it does, and with AppError `usage` for an edited plan that does not fit. */
export async function beginFork(
  {journal, given}: {readonly journal: Journal; readonly given: DecisionFlag | undefined},
  fork: (prepare: Prepare) => Promise<Run>,
): Promise<BegunFork> {
  let begun: Omit<BegunFork, 'run'> | undefined;
  const run = await fork(async (entries) => {
    const row = await findRow(journal, openedIn(entries)?.id ?? '');
    begun = {row, recorded: await recordedIn(entries, row, given)};
  });
  if (!begun) throw new Error('the run was forked without its entries');
  return {...begun, run};
}
