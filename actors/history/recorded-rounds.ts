/** The rounds of a run from its journal, without a replay. */

import {z} from 'zod';

import type {RecordedRound} from '../../machines/panel/recount.ts';
import type {SeatCall} from '../../machines/panel/seats.ts';
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

const notedSchema = z.object({type: z.literal('quorum.decided'), actor: z.string()});

/** A round, and the path of the panel that decided it. */
export interface RoundOnRecord {
  readonly round: RecordedRound;
  readonly actor: string;
}

/** In the order in which they were decided. */
export function roundsIn(entries: readonly Entry[]): RoundOnRecord[] {
  return entries.flatMap((entry) => {
    const parsed = entry.type === 'noted' ? notedSchema.safeParse(entry.note) : undefined;
    return parsed?.success && entry.type === 'noted'
      ? readRound(entry.note, parsed.data.actor)
      : [];
  });
}

function readRound(review: unknown, actor: string): RoundOnRecord[] {
  const parsed = roundSchema.safeParse(review);
  if (!parsed.success) return [];
  const {withdrawn, seats, ...round} = parsed.data;
  const sat = seats ?? [...round.votes.map(({model}) => model), ...withdrawn];
  return [{round: {...round, seats: sat}, actor}];
}

const settledSchema = z.object({
  kind: z.string().default(''),
  usage: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: z.number(),
      costUsd: z.number().exactOptional(),
      estimated: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});

/** The usage of policies, and of calls that failed. The usage of a reply without one is unknown. */
const freeOfCharge = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

/** The calls of the seats of all panels with a decision, including aborted ones. */
export function seatCallsIn(entries: readonly Entry[]): SeatCall[] {
  const panels = new Set(roundsIn(entries).map(({actor}) => actor));
  return entries.flatMap((entry) => {
    if (entry.type !== 'settled') return [];
    const [, actor = '', seat = ''] = callOfSeat.exec(entry.key) ?? [];
    const outcome = settledSchema.safeParse(entry.outcome);
    if (!panels.has(actor) || !outcome.success) return [];
    const {kind, usage = kind === 'ok' ? undefined : freeOfCharge} = outcome.data;
    return [{seat: decodeURIComponent(seat), ...(usage ? {usage} : {})}];
  });
}

/** The path of a panel, and the path of the seat below it: that of its call. */
const callOfSeat = /^[^/]+\/(.+)\/(?:poll|screen)\/seat:([^/#]+)/;
