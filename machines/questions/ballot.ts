/** One reviewer's ballot: the arguments of `cast_ballot`. */

import {z} from 'zod';

import {type Comment, severities} from '../domain/patch.ts';
import type {CallVerdict} from '../domain/review.ts';
import {type AnswerReading, modelText, readBy, refused, someText, someTexts} from './reading.ts';

export const ballotSchema = z.lazy(plainSchema).describe('Cast your ballot on the proposal.');

export const diffBallotSchema = z.lazy(onDiff).describe('Cast your ballot on the diff.');

/**
 * Accepts more than the offered schema: some models comment on single lines of any proposal, and echo its round. An invalid
 * line number costs the number, not the ballot.
 */
const readSchema = z.lazy(() =>
  plainSchema().extend({
    round: z.number().int().nullish(),
    comments: z.array(comment().extend({line: lineNumber().catch(undefined)})).nullish(),
  }),
);

export function plainSchema() {
  return z.strictObject({
    verdict: z.enum(['approve', 'reject', 'abstain']).describe('Your vote'),
    reasons: someTexts.describe('Your reasons, one a text; of a rejection: what is wrong'),
    confidence: z.number().min(0).max(1).describe('How sure you are, from 0 to 1'),
    suggested_change: modelText.nullish().describe('Of a rejection: what would mend it'),
  });
}

function comment() {
  return z.strictObject({
    file: modelText.describe('The path of the file, as in the diff'),
    line: lineNumber().describe('The number of the line in the new file'),
    severity: z.enum(severities).describe('How much it matters'),
    message: someText.describe('What is wrong there, and what would mend it'),
  });
}

function lineNumber() {
  return z.number().int().min(1).nullish();
}

function onDiff() {
  return plainSchema().extend({
    comments: z
      .array(comment())
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
  /** Files of a diff that a reviewer by rule has read whole, by a rule of their own. */
  readonly read?: readonly string[];
  /** Comments on single places of a diff. */
  readonly comments?: readonly Comment[];
  /** As in `ModelVote`. */
  readonly calls?: readonly CallVerdict[];
}

/** The rule of a refusal when a reviewer by rule gave no valid ballot. */
export const noVerdict = 'no-verdict';

/**
 * Reads a ballot. Refuses one that names a round other than `round`, and one that approves despite a critical or major
 * comment: that one is a rejection unless the model corrects it.
 */
export function readBallot(
  args: unknown,
  {round}: {readonly round: number},
): AnswerReading<Ballot> {
  const reading = readBy(readSchema, args);
  if (!reading.ok) return reading;
  const {suggested_change: suggestedChange, round: claimed, comments, ...ballot} = reading.value;
  if (typeof claimed === 'number' && claimed !== round) {
    return refused(`the ballot is for round ${claimed}, not for round ${round}`);
  }
  const value = {
    ...ballot,
    ...(suggestedChange ? {suggestedChange} : {}),
    ...(comments && comments.length > 0 ? {comments: comments.map(withLine)} : {}),
  };
  const grave = comments?.find(({severity}) => severity !== 'minor');
  if (value.verdict !== 'approve' || !grave) return {ok: true, value};
  const contradiction = `it approves, but one of its comments is ${grave.severity}`;
  return {
    ok: false,
    problems: [`${contradiction}: reject, or call the comment minor`],
    otherwise: {
      ...value,
      verdict: 'reject',
      reasons: [contradiction, grave.message, ...value.reasons],
    },
  };
}

function withLine({
  line,
  ...said
}: Omit<Comment, 'line'> & {readonly line?: number | null | undefined}): Comment {
  return typeof line === 'number' ? {...said, line} : said;
}

/** The reasons of all ballots that reject. */
export function rejectionReasons(ballots: readonly Ballot[]): readonly string[] {
  return ballots.flatMap(({verdict, reasons}) => (verdict === 'reject' ? reasons : []));
}
