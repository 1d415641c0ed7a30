/** The result of mutation testing, as data and in counts. */

import type {Excluded, Mutant} from '../../../machines/testing/mutants/mutant.ts';
import type {Outcome, Tried} from './mutation-run.ts';

export interface MutationResult {
  readonly machine: string;
  /** Undefined: the mutants were only listed. */
  readonly command: string | undefined;
  readonly mutants: readonly Mutant[];
  readonly excluded: readonly Excluded[];
  /** Fewer than the mutants when the run was interrupted. */
  readonly tried: readonly Tried[];
  /** Of all test runs, including the one without a mutant. */
  readonly ms: number;
}

export function countOf({tried}: MutationResult, outcome: Outcome): number {
  return tried.filter((each) => each.outcome === outcome).length;
}

/** Percentage of the tested mutants that were found; a time-out counts as found. */
export function percentFound(result: MutationResult): number {
  const {tried} = result;
  const found = countOf(result, 'found') + countOf(result, 'timed_out');
  return tried.length === 0 ? 100 : (100 * found) / tried.length;
}

/** For JSON. */
export function mutationData(result: MutationResult): object {
  const {machine, command, mutants, excluded, tried, ms} = result;
  const outcomes = new Map(tried.map((each) => [each.mutant, each]));
  return {
    machine,
    ...(command === undefined ? {} : {command, ...countsOf(result), seconds: secondsOf(ms)}),
    mutants: mutants.map((mutant) => {
      const {name, kind, state, hint} = mutant;
      const of = outcomes.get(mutant);
      const own = of ? {outcome: of.outcome, seconds: secondsOf(of.ms)} : {};
      return Object.assign({name, kind, state, hint}, own);
    }),
    excluded: excluded.map(({name, kind, state, reason}) => ({name, kind, state, reason})),
  };
}

function countsOf(result: MutationResult): object {
  return {
    counts: {
      mutants: result.mutants.length,
      tried: result.tried.length,
      found: countOf(result, 'found'),
      timed_out: countOf(result, 'timed_out'),
      survived: countOf(result, 'survived'),
      not_created: countOf(result, 'not_created'),
    },
    percent_found: Number(percentFound(result).toFixed(1)),
  };
}

function secondsOf(ms: number): number {
  return Number((ms / 1000).toFixed(2));
}
