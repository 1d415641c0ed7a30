/** One reviewer's ballot: the arguments of `cast_ballot`. */

import {z} from 'zod';

import {type Comment, severities} from '../domain/patch.ts';
import type {CallVerdict, ModelVote} from '../domain/review.ts';
import {
  type AnswerReading,
  modelText,
  readBy,
  type Reading,
  refused,
  someText,
  someTexts,
} from './reading.ts';

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

function plainSchema() {
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

export type Ballot = Pick<
  ModelVote,
  | 'verdict'
  | 'reasons'
  | 'confidence'
  | 'suggestedChange'
  | 'rules'
  | 'unknown'
  | 'read'
  | 'comments'
  | 'calls'
>;

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

// One reviewer's ballot on several calls: the arguments of `cast_ballot`, with a verdict on single calls.

export const callsBallotSchema = z
  .lazy(onCalls)
  .describe('Cast your ballot on the proposal: on all its calls, or also on single ones.');

/** Accepts more than the offered schema: some models echo the round. */
const readCallsSchema = z.lazy(() => onCalls().extend({round: z.number().int().nullish()}));

function onCalls() {
  const call = z.strictObject({
    number: z.number().int().min(1).describe('The number of the call'),
    verdict: z.enum(['approve', 'reject', 'abstain']).describe('Your vote on this call'),
    reasons: someTexts.describe('Your reasons, one a text'),
  });
  return plainSchema().extend({
    calls: z
      .array(call)
      .max(200)
      .nullish()
      .describe('Calls whose verdict differs from the verdict on the whole'),
  });
}

export interface CallsAsked {
  readonly round: number;
  /** The number of calls in the proposal. */
  readonly calls: number;
}

/** Reads a ballot on several calls. Refuses one that names a call which does not exist, or that contradicts itself. */
export function readCallsBallot(args: unknown, {round, calls: count}: CallsAsked): Reading<Ballot> {
  const reading = readBy(readCallsSchema, args);
  if (!reading.ok) return reading;
  const {calls, ...read} = reading.value;
  const given = calls ?? [];
  const ballot = plainBallot(read);
  const problem = wrongRound(read.round, round) ?? wrongNumber(given, count);
  if (problem !== undefined) return refused(problem);
  if (given.length === 0) return {ok: true, value: ballot};
  const value = withCalls(ballot, given, count);
  const isContradiction = ballot.verdict === 'reject' && value.verdict !== 'reject';
  return isContradiction
    ? refused('calls: the ballot rejects the proposal, but none of its calls')
    : {ok: true, value};
}

function wrongRound(claimed: number | null | undefined, round: number): string | undefined {
  return typeof claimed === 'number' && claimed !== round
    ? `the ballot is for round ${claimed}, not for round ${round}`
    : undefined;
}

function wrongNumber(given: readonly CallVerdict[], count: number): string | undefined {
  const numbers = given.map(({number}) => number);
  const strange = numbers.find((number) => number > count);
  if (strange !== undefined) return `calls: there is no call ${strange}; there are ${count}`;
  const twice = numbers.find((number, at) => numbers.indexOf(number) < at);
  return twice === undefined ? undefined : `calls: call ${twice} has two verdicts`;
}

interface PlainBallot extends Pick<Ballot, 'verdict' | 'reasons' | 'confidence'> {
  readonly suggested_change?: string | null | undefined;
}

function plainBallot(read: PlainBallot): Ballot {
  const {verdict, reasons, confidence, suggested_change: suggestedChange} = read;
  return {verdict, reasons, confidence, ...(suggestedChange ? {suggestedChange} : {})};
}

/**
 * With a verdict on every call. The verdict on the whole approves only if each call is approved, and rejects if any is
 * rejected; a ballot that abstains approves no call.
 */
function withCalls(ballot: Ballot, given: readonly CallVerdict[], count: number): Ballot {
  const {verdict, reasons} = ballot;
  const calls = Array.from({length: count}, (_, at): CallVerdict => {
    const own = given.find(({number}) => number === at + 1) ?? {number: at + 1, verdict, reasons};
    const isHeld = verdict === 'abstain' && own.verdict === 'approve';
    return isHeld ? {...own, verdict} : own;
  });
  const whole = wholeVerdict(calls.map((call) => call.verdict));
  if (whole === verdict) return {...ballot, calls};
  const against = calls.filter((call) => call.verdict === whole);
  return {...ballot, verdict: whole, reasons: numberedReasons(against), calls};
}

/** The verdict on several calls together. */
export function wholeVerdict(each: readonly Ballot['verdict'][]): Ballot['verdict'] {
  if (each.includes('reject')) return 'reject';
  return each.includes('abstain') ? 'abstain' : 'approve';
}

function numberedReasons(calls: readonly CallVerdict[]): string[] {
  return calls.flatMap(({number, reasons}) => reasons.map((reason) => `call ${number}: ${reason}`));
}
