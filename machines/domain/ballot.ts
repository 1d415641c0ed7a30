/** One reviewer's verdict, as a model gives it: the arguments of `cast_ballot`. */

import {z} from 'zod';

import {type Comment, severities} from './patch.ts';
import {readBy, type Reading, refused} from './reading.ts';

/** Half a surrogate pair is no text: stores and terminals refuse it. */
const wellFormed = z.string().overwrite((text) => text.toWellFormed());

export const ballotSchema = z
  .strictObject({
    verdict: z.enum(['approve', 'reject', 'abstain']),
    reasons: z.array(wellFormed.trim().min(1)).min(1).max(20),
    confidence: z.number().min(0).max(1),
    suggested_change: wellFormed.nullish(),
    comments: z
      .array(
        z.strictObject({
          file: wellFormed,
          line: z.number().int().min(1).nullish(),
          severity: z.enum(severities),
          message: wellFormed.trim().min(1),
        }),
      )
      .max(200)
      .nullish()
      .describe('Of a diff: what you have to say of single lines of the new files.'),
    /** Echoed by some models; when present it must be this round's. */
    round: z.number().int().nullish(),
  })
  .describe('Cast your ballot on the proposal.');

export interface Ballot {
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly suggestedChange?: string;
  /** Names of the rules that fired, of a reviewer by rule. */
  readonly rules?: readonly string[];
  /** On single places of a diff. */
  readonly comments?: readonly Comment[];
}

/** Reads the ballot of `round`. */
export function readBallot(args: unknown, {round}: {readonly round: number}): Reading<Ballot> {
  const reading = readBy(ballotSchema, args);
  if (!reading.ok) return reading;
  const {suggested_change: suggestedChange, round: claimed, comments, ...ballot} = reading.value;
  if (typeof claimed === 'number' && claimed !== round) {
    return refused(`the ballot is for round ${claimed}, not for round ${round}`);
  }
  return {
    ok: true,
    value: {
      ...ballot,
      ...(suggestedChange ? {suggestedChange} : {}),
      ...(comments && comments.length > 0 ? {comments: comments.map(toComment)} : {}),
    },
  };
}

function toComment({
  line,
  ...comment
}: Omit<Comment, 'line'> & {readonly line?: number | null | undefined}): Comment {
  return typeof line === 'number' ? {...comment, line} : comment;
}
