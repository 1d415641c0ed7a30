/** Counts the recorded votes of a run again. */

import {roundsIn} from '../../actors/history/recorded-facts.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {runStateOf} from '../../actors/sessions/run-state.ts';
import {recountAll} from '../../machines/panel/recorded-votes.ts';
import type {RecountedRun} from '../render/tables/recount.ts';
import {findOrNewest} from './find-run.ts';
import {type GivenTerms, termsOf} from './recount-terms.ts';

export interface RecountWanted {
  /** The ID or its beginning. Absent: the newest run of the folder. */
  readonly wanted: string | undefined;
  readonly folder?: string | undefined;
  readonly terms: GivenTerms;
}

/** Rejects as `findOrNewest` and `termsOf` do. `damage`: of the journal after the counted votes. */
export async function recountOf(
  journal: Journal,
  {wanted, folder, terms: given}: RecountWanted,
): Promise<{readonly counted: RecountedRun; readonly damage?: Error | undefined}> {
  const row = await findOrNewest(journal, wanted, folder);
  const {entries, damage} = await journal.log.salvage(row.id);
  const rounds = roundsIn(entries);
  const terms = termsOf(given, rounds);
  const state = await runStateOf(row, journal);
  return {counted: {row, state, terms, ...recountAll(rounds, terms)}, damage};
}
