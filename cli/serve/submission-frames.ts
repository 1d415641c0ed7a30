/** The stream of a submission: new messages, and its state after each change. */

import type {Standing} from '../../actors/submissions/standing.ts';
import type {Submissions} from '../../actors/submissions/submissions.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {Frame} from './event-stream.ts';

interface Following {
  readonly submissions: Pick<Submissions, 'readFollowed' | 'follow'>;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
}

/**
 * Keeps only the last sent state: a slow reader receives fewer states, later. Ends when no further message is accepted, or
 * the submission is erased. `seen`: the position of the last message that the reader has; any other number means none.
 */
export async function* submissionFrames(
  first: Standing,
  seen: number,
  {submissions, signal}: Following,
): AsyncGenerator<Frame> {
  const begun = first.messages.length;
  let position = Number.isInteger(seen) && seen > 0 && seen <= begun ? seen : 0;
  let sent = '';
  for await (const standing of standings(first, {submissions, signal})) {
    for (const message of standing.messages.slice(position)) {
      ({position} = message);
      yield {event: 'message', id: String(position), data: message};
    }
    const text = stateText(standing);
    if (text !== sent) yield {event: 'state', text};
    sent = text;
  }
}

/** Built once for all readers of a standing. */
const stateTexts = new WeakMap<Standing, string>();

function stateText(standing: Standing): string {
  const known = stateTexts.get(standing);
  if (known !== undefined) return known;
  const {messages: _messages, answers: _answers, ...state} = standing;
  const text = JSON.stringify(state);
  stateTexts.set(standing, text);
  return text;
}

/** The current state, and again after each possible change; a slow reader misses states in between. */
async function* standings(
  first: Standing,
  {submissions, signal}: Following,
): AsyncGenerator<Standing> {
  yield first;
  if (first.hasEnded) return;
  const bell = createBell(signal);
  const stop = submissions.follow(first.id, bell.ring);
  try {
    for await (const _ of bell.rings) {
      const standing = await readUnlessGone(first.id, submissions);
      if (standing) yield standing;
      if (!standing || standing.hasEnded) return;
    }
  } finally {
    stop();
  }
}

async function readUnlessGone(
  id: string,
  {readFollowed}: Pick<Submissions, 'readFollowed'>,
): Promise<Standing | undefined> {
  try {
    return await readFollowed(id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Several signals before the next wait count as one. Ends with the signal. */
function createBell(signal: AbortSignal) {
  // Something may have changed since the first read.
  let hasRung = true;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    hasRung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring, {once: true});
  const next = async (): Promise<IteratorResult<undefined>> => {
    if (!hasRung) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    hasRung = false;
    return {done: signal.aborted, value: undefined};
  };
  return {ring, rings: {[Symbol.asyncIterator]: () => ({next})}};
}
