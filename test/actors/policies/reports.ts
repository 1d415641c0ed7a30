/** Reports of workers in the repository of {@link openWorld}, as policy/evidence judges them against facts. */

import {afterAll, beforeAll} from 'vitest';

import type {Evidence} from '../../../machines/domain/evidence.ts';
import type {Proposal} from '../../../machines/domain/review.ts';
import {did, proposalOf} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

export function ran(command: string, status: 'succeeded' | 'failed' = 'succeeded') {
  return did('run_command', {command}, status, status === 'failed' ? 1 : 0);
}

export interface Reports<Done extends string> {
  /** Judges a report of done work. */
  readonly verdictOn: (done: Done, text: string) => Promise<string>;
  readonly verdictOf: (proposal: Proposal) => Promise<string>;
  /** Each sentence of the table beside its facts. */
  readonly casesOf: (
    table: Partial<Record<Done, readonly string[]>>,
  ) => readonly (readonly [Done, string])[];
}

/** For a suite, with these files added to the repository: the verdicts of policy/evidence. */
export function setUpReports<Done extends string>(
  facts: Readonly<Record<Done, readonly Evidence[]>>,
  files: Readonly<Record<string, string>> = {},
): Reports<Done> {
  let world: TestWorld | undefined;
  beforeAll(() => {
    world = openWorld(files);
  });
  afterAll(() => world?.close());
  const verdictOf = async (proposal: Proposal): Promise<string> =>
    (await world?.consult('evidence', proposal))?.verdict ?? '';
  const isDone = (key: string): key is Done => key in facts;
  return {
    verdictOf,
    casesOf: (table) =>
      Object.keys(facts)
        .filter(isDone)
        .flatMap((done) => (table[done] ?? []).map((text) => [done, text] as const)),
    verdictOn: async (done, text) => {
      const results = [{task: 'a', succeeded: true, text, isReport: true}];
      return await verdictOf(proposalOf({evidence: facts[done], results}, {kind: 'result'}));
    },
  };
}
