/** One reviewer's verdict, and the only way in which a model's reply can become one. */

import {z} from 'zod';

import type {ModelOutcome} from './model.ts';

/** Half a surrogate pair is no text: stores and terminals refuse it. */
const wellFormed = z.string().overwrite((text) => text.toWellFormed());

export const ballotSchema = z
  .strictObject({
    verdict: z.enum(['approve', 'reject', 'abstain']),
    reasons: z.array(wellFormed.trim().min(1)).min(1).max(20),
    confidence: z.number().min(0).max(1),
    suggested_change: wellFormed.nullish(),
    /** Echoed by some models; when present it must be this round's. */
    round: z.number().int().nullish(),
  })
  .describe('Cast your ballot on the proposal.');

export interface Ballot {
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly suggestedChange?: string;
}

export type BallotReading =
  | {readonly ok: true; readonly ballot: Ballot}
  | {readonly ok: false; readonly problem: string};

/**
 * Reads the ballot of `round` from a model's outcome: exactly one complete `cast_ballot` call that passes the schema.
 * Prose is never searched for a verdict.
 */
export function readBallot(outcome: ModelOutcome, round: number): BallotReading {
  if (outcome.kind !== 'ok') return {ok: false, problem: `${outcome.kind}: ${outcome.message}`};
  const [call, ...more] = outcome.calls;
  if (!call)
    return {ok: false, problem: 'the reply called no tool; a ballot is cast with cast_ballot'};
  if (more.length > 0) return {ok: false, problem: 'the reply held more than one tool call'};
  if (call.name !== 'cast_ballot') return {ok: false, problem: `the reply called ${call.name}`};
  if (call.problem !== undefined) return {ok: false, problem: call.problem};
  return checkBallot(call.args, round);
}

function checkBallot(args: unknown, round: number): BallotReading {
  const parsed = ballotSchema.safeParse(args);
  if (!parsed.success) return {ok: false, problem: z.prettifyError(parsed.error)};
  const {suggested_change: suggestedChange, round: claimed, ...ballot} = parsed.data;
  if (typeof claimed === 'number' && claimed !== round) {
    return {ok: false, problem: `the ballot is for round ${claimed}, not for round ${round}`};
  }
  return {ok: true, ballot: {...ballot, ...(suggestedChange ? {suggestedChange} : {})}};
}
