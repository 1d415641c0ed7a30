/** The rounds of a run from its journal, without a replay. */

import {z} from 'zod';

import type {RecordedRound} from '../../machines/panel/recorded-votes.ts';
import type {Entry} from '../journal/journal.ts';

const verdict = z.enum(['approve', 'reject', 'abstain']);

const voteSchema = z.object({
  model: z.string(),
  verdict,
  unknown: z.array(z.string()).exactOptional(),
  abstainedBecause: z.string().exactOptional(),
  ms: z.number().exactOptional(),
});

const roundSchema = z.object({
  round: z.number(),
  kind: z.string(),
  title: z.string(),
  rule: z.string(),
  verdict: z.enum(['approved', 'rejected', 'noQuorum']),
  summary: z.string(),
  votes: z.array(voteSchema),
  withdrawn: z.array(z.string()).default([]),
  seats: z.array(z.string()).exactOptional(),
  weights: z.record(z.string(), z.number()).exactOptional(),
  vetoes: z.array(z.string()).exactOptional(),
  participation: z.object({cast: z.number(), required: z.number()}).exactOptional(),
  missed: z.array(z.string()).exactOptional(),
  screened: z.array(z.object({policy: z.string(), verdict})).exactOptional(),
});

/** In the order in which they were decided. */
export function roundsIn(entries: readonly Entry[]): RecordedRound[] {
  return entries.flatMap((entry) =>
    entry.type === 'noted' && entry.note['type'] === 'quorum.decided' ? readRound(entry.note) : [],
  );
}

/** A round in an entry; empty when it is not valid. */
export function readRound(review: unknown): RecordedRound[] {
  const parsed = roundSchema.safeParse(review);
  if (!parsed.success) return [];
  const {withdrawn, seats, ...round} = parsed.data;
  const sat = seats ?? [...round.votes.map(({model}) => model), ...withdrawn];
  return [{...round, seats: sat}];
}
