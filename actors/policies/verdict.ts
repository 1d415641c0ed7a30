/** The ballot of one reviewer by rule, whatever the reviewer does: without a valid ballot in time it is a refusal. */

import {toFailure} from '../../machines/domain/failure.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import {policyBallot} from '../../machines/outcomes.ts';
import {type Ballot, noVerdict} from '../../machines/questions/ballot.ts';
import {policyDeadlineMs} from './names.ts';

/** Characters of a ballot as JSON. It is part of the journal, and of the prompts of later rounds. */
const maxBallot = 200_000;

export interface VerdictContext {
  readonly signal: AbortSignal;
  /** Reports why a reviewer gave no valid ballot. */
  readonly onWarning: (message: string) => void;
}

/** `judge` is the reviewer, bound to what it judges. Never rejects. */
export async function verdictOf(
  policy: string,
  judge: () => Ballot | Promise<Ballot>,
  {signal, onWarning}: VerdictContext,
): Promise<Ballot> {
  try {
    const given = judge();
    return checkedBallot(isPending(given) ? await inTime(given, signal) : given);
  } catch (error) {
    const reason = `${policy} gave no valid verdict: ${toFailure(error).message}`;
    if (!signal.aborted) onWarning(`${reason}; a proposal that it cannot judge is refused`);
    return {verdict: 'reject', reasons: [reason], confidence: 1, rules: [noVerdict]};
  }
}

function isPending(given: Ballot | Promise<Ballot>): given is Promise<Ballot> {
  return typeof Object(given).then === 'function';
}

async function inTime(pending: Promise<Ballot>, signal: AbortSignal): Promise<Ballot> {
  const {promise: late, reject} = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer in ${policyDeadlineMs / 1_000} s`)),
    policyDeadlineMs,
  );
  const abort = (): void => reject(new Error('it was no longer needed'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, {once: true});
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** A copy, which the reviewer cannot change later. Throws Error for anything but a ballot with a known verdict and a reason. */
function checkedBallot(given: Ballot): Ballot {
  const text = JSON.stringify({ballot: given});
  if (text.length > maxBallot) {
    throw new Error(`its ballot has ${text.length} characters, and at most ${maxBallot} are read`);
  }
  const outcome: unknown = JSON.parse(text);
  const problem = isJsonObject(outcome) ? policyBallot(outcome, 'the answer') : undefined;
  if (problem !== undefined) throw new Error(problem);
  const copy: Ballot = JSON.parse(JSON.stringify(given));
  return copy;
}
