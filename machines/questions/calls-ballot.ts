/** One reviewer's ballot on several calls: the arguments of `cast_ballot`, with a verdict on single calls. */

import {z} from 'zod';

import type {CallVerdict} from '../domain/review.ts';
import {type Ballot, plainSchema} from './ballot.ts';
import {readBy, type Reading, refused, someTexts} from './reading.ts';

export const callsBallotSchema = z
  .lazy(onCalls)
  .describe('Cast your ballot on the proposal: on all its calls, or also on single ones.');

/** Accepts more than the offered schema: some models echo the round. */
const readSchema = z.lazy(() => onCalls().extend({round: z.number().int().nullish()}));

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
  const reading = readBy(readSchema, args);
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
