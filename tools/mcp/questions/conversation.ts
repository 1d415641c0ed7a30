/**
 * One request to a server, with its questions to the person. In 2026-07-28 the server ends the request with its questions and a state
 * of its own, and the request is repeated with the answers: that works in a later process, too. Before, the request stays open, in
 * this process.
 */

import {setTimeout as sleep} from 'node:timers/promises';

import {z} from 'zod';

import {asJson, isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import {
  type InputAnswer,
  maxServerQuestions,
  type ServerQuestion,
} from '../../../machines/server-input/server-input.ts';
import type {ToolContext} from '../../tool.ts';
import type {Answer, InputNeeded, Round} from '../asking.ts';
import type {Connection} from '../connection.ts';
import {ServerFault, type ServerRequest} from '../server.ts';
import type {OpenCalls} from './open-calls.ts';
import {readQuestion} from './question-reading.ts';

/** Rounds without a question, with which a busy server delays a request. */
const maxDelays = 10;
const delayMs = 250;
/** In UTF-16 units: it is recorded. */
const maxState = 64 * 1024;

export interface Conversation {
  readonly server: string;
  readonly connection: Connection;
  readonly calls: OpenCalls;
  readonly request: ServerRequest;
  readonly onProgress: (text: string) => void;
}

export interface PersonAsked {
  readonly question: ServerQuestion;
  /** See `CallInput`. */
  readonly held: JsonObject;
}

type Context = Pick<ToolContext, 'signal' | 'input' | 'whole'>;

/** Rejects with ServerFault, or the reason of the signal. */
export async function converse(
  talk: Conversation,
  context: Context,
): Promise<Answer | PersonAsked> {
  return talk.connection.isLegacy ? await inOneCall(talk, context) : await inRounds(talk, context);
}

/** True for a call that only the process that has ended could continue. */
export function isLost(held: JsonObject | undefined, calls: OpenCalls | undefined): boolean {
  return held?.['call'] !== undefined && !calls?.find(held['call']);
}

async function inOneCall(
  {connection, calls, request, onProgress}: Conversation,
  {signal, input, whole}: Context,
): Promise<Answer | PersonAsked> {
  const found = calls.find(input?.held?.['call']);
  found?.answer(input?.answers.at(-1));
  const work = async (own: AbortSignal): Promise<Answer> => {
    const reply = await connection.ask(request, {signal: own, onProgress});
    if ('text' in reply) return reply;
    throw new ServerFault('needs_person', 'it asks in a way that its protocol does not have');
  };
  const call = found ?? calls.begin(work, input?.answers);
  try {
    const next = await call.next(signal);
    if ('text' in next) {
      calls.drop(call, undefined);
      return next;
    }
    whole?.addEventListener('abort', () => calls.drop(call, whole.reason), {once: true});
    return {question: next, held: {call: call.token}};
  } catch (error) {
    calls.drop(call, error);
    throw error;
  }
}

/** The questions of one round. */
interface Needed {
  readonly asks: readonly {
    readonly key: string;
    readonly question: ServerQuestion;
    readonly answer?: InputAnswer;
  }[];
  readonly state?: string;
}

async function inRounds(
  {server, connection, request, onProgress}: Conversation,
  {signal, input}: Context,
): Promise<Answer | PersonAsked> {
  const answers = input?.answers ?? [];
  /** A call that is made anew gives its answers to the same questions, each once. */
  const known = input?.held ? [] : [...answers];
  const ask = async (before: Needed | undefined, delays: number): Promise<Answer | PersonAsked> => {
    const open = before?.asks.find(({answer}) => !answer);
    if (before && open) return {question: open.question, held: asJson(before)};
    const round = before ? {round: roundOf(before)} : {};
    const reply = await connection.ask(request, {signal, onProgress, ...round});
    if ('text' in reply) return reply;
    const next = neededIn(server, reply, known);
    if (next.asks.length > 0) return await ask(next, 0);
    if (delays >= maxDelays)
      throw new ServerFault('server_fault', 'it delays the call again and again');
    await sleep(delayMs, undefined, {signal});
    return await ask(next, delays + 1);
  };
  return await ask(input?.held && withAnswer(readHeld(input.held), answers.at(-1)), 0);
}

const heldRound = z.object({
  asks: z.array(
    z.object({
      key: z.string(),
      question: z.custom<ServerQuestion>(isJsonObject),
      answer: z.custom<InputAnswer>(isJsonObject).exactOptional(),
    }),
  ),
  state: z.string().exactOptional(),
});

/** Throws ServerFault for the held part of a call over the older protocol: its server was replaced meanwhile. */
function readHeld(held: JsonObject): Needed {
  const read = heldRound.safeParse(held);
  if (read.success) return read.data;
  throw new ServerFault('server_ended', 'it speaks another protocol now');
}

function withAnswer({asks, ...rest}: Needed, answer: InputAnswer | undefined): Needed {
  const at = asks.findIndex((each) => !each.answer);
  return {
    ...rest,
    asks: asks.map((each, index) => (index === at && answer ? {...each, answer} : each)),
  };
}

function roundOf({asks, state}: Needed): Round {
  const responses = asks.flatMap(({key, answer}) => (answer ? [[key, answer] as const] : []));
  return {responses: Object.fromEntries(responses), ...(state === undefined ? {} : {state})};
}

/** Takes the answers that are known. Throws ServerFault for questions that can't be asked. */
function neededIn(server: string, {needs, state}: InputNeeded, known: InputAnswer[]): Needed {
  const all = Object.entries(needs);
  if (all.length > maxServerQuestions) throw new ServerFault('too_many_questions', '');
  if (state !== undefined && state.length > maxState) {
    throw new ServerFault('server_fault', 'the state of its question is too large');
  }
  const asks = all.map(([key, need]) => {
    const question = questionIn(server, need);
    const at = known.findIndex((each) => each.question === question.digest);
    const [answer] = at < 0 ? [] : known.splice(at, 1);
    return answer ? {key, question, answer} : {key, question};
  });
  return {asks, ...(state === undefined ? {} : {state})};
}

function questionIn(server: string, need: unknown): ServerQuestion {
  const {method, params} = isJsonObject(need) ? need : {};
  if (method === 'elicitation/create') return readQuestion(server, params);
  throw new ServerFault('needs_person', 'it asks for something that is not supported');
}
