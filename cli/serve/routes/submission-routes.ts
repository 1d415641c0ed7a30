/** A submission over HTTP, for the holder of its token: its messages, its state, and its end. */

import type {Outcome} from '../../../actors/submissions/speaking.ts';
import type {Standing} from '../../../actors/submissions/standing.ts';
import type {Submissions} from '../../../actors/submissions/submissions.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {eventStream, type Frame, type Streaming} from '../event-stream.ts';
import {createRates, type Rates} from '../guard.ts';
import {refusal, route, type Route, routeWithBody} from './route.ts';
import {answered, answers, newMessage, nothing, submission} from './schemas.ts';

const path = '/v1/submissions/{id}';
const access = 'respondent';
const notNow =
  'Not now: a message is being answered, the form is submitted, or required fields are open.';
/** For one submission: more than a person types, less than would overload its journal. */
const rate = {perSecond: 2, burst: 200};
const pollAfter = 5;

export function submissionRoutes(submissions: Submissions, streaming: Streaming): Route[] {
  return [
    readRoute(submissions),
    sayRoute(submissions, createRates(rate)),
    eventsRoute(submissions, streaming),
    confirmRoute(submissions),
    exportRoute(submissions),
    eraseRoute(submissions),
  ];
}

function readRoute({read}: Submissions): Route {
  return route({
    method: 'get',
    path,
    summary:
      'The state of a submission: its conversation, its fields, and the required ones without an answer.',
    access,
    replies: {200: {text: 'The submission.', schema: submission}},
    answer: async ({params: {id = ''}}) => Response.json(shown(await read(id))),
  });
}

function sayRoute({say}: Submissions, rates: Rates): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/messages`,
    summary: 'Sends a message. The reply contains the next question.',
    access,
    headers: {
      'Idempotency-Key':
        'Repeated requests with the same key and message have one effect, for a day.',
    },
    body: newMessage,
    replies: {
      200: {text: 'The messages from this one on.', schema: answered},
      202: {
        text: 'The message is received; the answer takes more than 60 seconds.',
        schema: answered,
      },
    },
    errors: {409: notNow, 503: 'A model can not be reached; the message is kept.'},
    answer: async ({params: {id = ''}, request}, said) => {
      const retryAfter = rates(id);
      if (retryAfter !== undefined)
        return refusal(429, 'too_often', 'too many messages in this submission', {retryAfter});
      const key = request.headers.get('idempotency-key') ?? undefined;
      if (key !== undefined && !/^[\x21-\x7e]{1,200}$/.test(key))
        return refusal(
          400,
          'malformed',
          'an Idempotency-Key has 1 to 200 letters, digits or signs',
        );
      return replyTo(await say(id, {...said, key}));
    },
  });
}

function eventsRoute(submissions: Submissions, streaming: Streaming): Route {
  return route({
    method: 'get',
    path: `${path}/events`,
    summary: 'New messages and states of a submission, as server-sent events.',
    detail:
      '`message` has a Message, its id the position; `state` a SubmissionState, at the beginning and whenever it changes. Ends when the form is submitted.',
    access,
    headers: {
      'Last-Event-ID':
        'The position of the last message received; the stream begins after it. A server that has just lost the submission to another one can send messages again, with the same positions.',
    },
    replies: {200: {text: 'The events.', type: 'text/event-stream'}},
    answer: async ({params: {id = ''}, request, bindings}) => {
      const seen = Number(request.headers.get('last-event-id') ?? 0);
      const first = await submissions.read(id);
      return eventStream(
        bindings,
        (signal) => submissionFrames(first, seen, {submissions, signal}),
        streaming,
      );
    },
  });
}

function confirmRoute({confirm}: Submissions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/confirm`,
    summary: 'Submits the form. Repeating the request changes nothing.',
    access,
    body: nothing,
    replies: {200: {text: 'The form is submitted.', schema: answered}},
    errors: {409: notNow},
    answer: async ({params: {id = ''}}) => replyTo(await confirm(id)),
  });
}

function exportRoute({read}: Submissions): Route {
  return route({
    method: 'get',
    path: `${path}/export`,
    summary:
      'The answers, complete or not, with the parts of the messages that they were read from.',
    access,
    replies: {200: {text: 'The answers.', schema: answers}},
    answer: async ({params: {id = ''}}) => Response.json((await read(id)).answers),
  });
}

function eraseRoute({erase}: Submissions): Route {
  return route({
    method: 'delete',
    path,
    summary: 'Erases a submission: nothing of it is left on the server.',
    access,
    replies: {204: {text: 'The submission is erased.'}},
    errors: {409: 'Another process runs it.'},
    answer: async ({params: {id = ''}}) => {
      await erase(id);
      return new Response(null, {status: 204});
    },
  });
}

/** See the schema `Submission`. */
function shown({answers: _answers, ...standing}: Standing) {
  return standing;
}

function replyTo(outcome: Outcome): Response {
  if (outcome.kind === 'answered') {
    const {state, messages, isPending} = outcome;
    const headers = isPending ? {'retry-after': String(pollAfter)} : {};
    return Response.json({state, messages}, {status: isPending ? 202 : 200, headers});
  }
  const {code, message, open} = outcome;
  if (code === 'unavailable') return refusal(503, code, message, {retryAfter: 30});
  return refusal(409, code, message, open ? {open} : {});
}

// The stream of a submission: new messages, and its state after each change.

interface Following {
  readonly submissions: Pick<Submissions, 'readFollowed' | 'follow'>;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
}

/**
 * Keeps only the last sent state: a slow reader receives fewer states, later. Ends when no further message is accepted, or
 * the submission is erased. `seen`: the position of the last message that the reader has; any other number means none.
 */
async function* submissionFrames(
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
