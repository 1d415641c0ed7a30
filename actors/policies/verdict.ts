/** Gets the ballot of one policy reviewer. Without a valid ballot in time, the result is a refusal. */

import {toFailure} from '../../machines/domain/failure.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import {policyBallot} from '../../machines/port-natures.ts';
import {type Ballot, noVerdict} from '../../machines/questions/ballot.ts';
import {policyDeadlineMs} from './names.ts';

/** The most characters of a ballot as JSON. It is stored in the journal, and appears in the prompts of later rounds. */
const maxBallot = 200_000;

export interface VerdictContext {
  readonly signal: AbortSignal;
  /** Reports why a reviewer gave no valid ballot. */
  readonly onWarning: (message: string) => void;
}

/** `judge` calls the reviewer with the proposal. Never rejects. */
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

/** A copy that the reviewer cannot change later. Throws Error for anything but a ballot with a known verdict and a reason. */
function checkedBallot(given: Ballot): Ballot {
  const text = JSON.stringify({ballot: given});
  if (text.length > maxBallot) {
    throw new Error(`its ballot has ${text.length} characters; the limit is ${maxBallot}`);
  }
  const outcome: unknown = JSON.parse(text);
  const problem = isJsonObject(outcome) ? policyBallot(outcome, 'the answer') : undefined;
  if (problem !== undefined) throw new Error(problem);
  const copy: Ballot = JSON.parse(JSON.stringify(given));
  return copy;
}
