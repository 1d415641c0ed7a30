/** One reviewer's ballot: the arguments of `cast_ballot`. */

import {z} from 'zod';

import {type Comment} from '../domain/patch.ts';
import {severities} from '../domain/severity.ts';
import {modelText, readBy, type Reading, refused, someText, someTexts} from './reading.ts';

export const ballotSchema = z.lazy(base).describe('Cast your ballot on the proposal.');

export const diffBallotSchema = z.lazy(onDiff).describe('Cast your ballot on the diff.');

/** Accepts more than the offered schema: some models comment on single lines of any proposal, and echo its round. */
const readSchema = z.lazy(() => onDiff().extend({round: z.number().int().nullish()}));

function base() {
  return z.strictObject({
    verdict: z.enum(['approve', 'reject', 'abstain']).describe('Your vote'),
    reasons: someTexts.describe('Your reasons, one a text; of a rejection: what is wrong'),
    confidence: z.number().min(0).max(1).describe('How sure you are, from 0 to 1'),
    suggested_change: modelText.nullish().describe('Of a rejection: what would mend it'),
  });
}

function onDiff() {
  const comment = z.strictObject({
    file: modelText.describe('The path of the file, as in the diff'),
    line: z.number().int().min(1).nullish().describe('The number of the line in the new file'),
    severity: z.enum(severities).describe('How much it matters'),
    message: someText.describe('What is wrong there, and what would mend it'),
  });
  return base().extend({
    comments: z
      .array(comment)
      .max(200)
      .nullish()
      .describe('Comments on single lines of the new files'),
  });
}

export interface Ballot {
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly suggestedChange?: string;
  /** Names of the rules that fired. Only on the ballot of a reviewer by rule. */
  readonly rules?: readonly string[];
  /** Words, programs and constructs that a reviewer by rule could not judge: its verdict is an abstention. */
  readonly unknown?: readonly string[];
  /** Comments on single places of a diff. */
  readonly comments?: readonly Comment[];
}

/** The rule of a refusal when a reviewer by rule gave no valid ballot. */
export const noVerdict = 'no-verdict';

/** Reads a ballot. Refuses one that names a round other than `round`. */
export function readBallot(args: unknown, {round}: {readonly round: number}): Reading<Ballot> {
  const reading = readBy(readSchema, args);
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

/** The reasons of all ballots that reject. */
export function rejectionReasons(ballots: readonly Ballot[]): readonly string[] {
  return ballots.flatMap(({verdict, reasons}) => (verdict === 'reject' ? reasons : []));
}
