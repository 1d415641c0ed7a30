/**
 * The calls that a server of the older protocol works on. It asks a person during a call, so the call stays open until the person
 * has answered, perhaps for days.
 *
 * open → asking → open → ended
 */

import {randomUUID} from 'node:crypto';

import {
  type InputAnswer,
  maxServerQuestions,
  type ServerQuestion,
} from '../../../machines/server-input/server-input.ts';
import {unlessAborted} from '../../unless-aborted.ts';
import type {Answer, GivenAnswer} from '../asking.ts';
import {ServerFault} from '../server.ts';

interface Asked {
  readonly question: ServerQuestion;
  readonly give: (answer: GivenAnswer) => void;
}

export class OpenCall {
  readonly token = randomUUID();
  readonly #stop = new AbortController();
  readonly #end: Promise<Answer>;
  readonly #known: InputAnswer[];
  #asked: readonly Asked[] = [];
  #count = 0;
  #onAsked = Promise.withResolvers<undefined>();
  #isOver = false;

  /** `known`: answers that are given without the person when the same is asked, each once. */
  constructor(work: (signal: AbortSignal) => Promise<Answer>, known: readonly InputAnswer[]) {
    this.#known = [...known];
    this.#end = this.#carryOut(work);
    // It may end while the person is asked.
    this.#end.catch(() => undefined);
  }

  get isListening(): boolean {
    return !this.#isOver && this.#asked.length === 0;
  }

  /** Rejects with the reason why it was ended, which the client replaces by an error of its own. */
  async #carryOut(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const {signal} = this.#stop;
    try {
      return await work(signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      this.#isOver = true;
    }
  }

  /** The next question, or the answer of the server. Rejects as the call does, or with the reason of the signal: then it is ended. */
  async next(signal: AbortSignal): Promise<ServerQuestion | Answer> {
    const [first] = this.#asked;
    if (first) return first.question;
    this.#onAsked = Promise.withResolvers();
    try {
      const next = await unlessAborted(Promise.race([this.#end, this.#onAsked.promise]), signal);
      return next ?? (await this.next(signal));
    } catch (error) {
      if (signal.aborted) this.end(signal.reason);
      throw error;
    }
  }

  /** Answers the question that `next` returned. Ignored when the server has withdrawn it. */
  answer(given: InputAnswer | undefined): void {
    const [first] = this.#asked;
    if (first && first.question.digest === given?.question) first.give(given);
  }

  /** Resolves with the answer for the server. Rejects with ServerFault after too many questions, and ends the call. */
  async ask(question: ServerQuestion, signal: AbortSignal): Promise<GivenAnswer> {
    this.#count += 1;
    if (this.#count > maxServerQuestions) {
      const fault = new ServerFault('too_many_questions', '');
      this.end(fault);
      throw fault;
    }
    const at = this.#known.findIndex((each) => each.question === question.digest);
    const [known] = at < 0 ? [] : this.#known.splice(at, 1);
    if (known) return known;
    const {promise, resolve} = Promise.withResolvers<GivenAnswer>();
    const give = (answer: GivenAnswer): void => {
      this.#asked = this.#asked.filter((each) => each !== asked);
      resolve(answer);
    };
    const asked: Asked = {question, give};
    this.#asked = [...this.#asked, asked];
    this.#onAsked.resolve(undefined);
    for (const each of [signal, this.#stop.signal]) {
      each.addEventListener('abort', () => give({action: 'cancel'}), {once: true});
    }
    return await promise;
  }

  /** The server receives a cancellation. Without effect after the end. */
  end(reason: unknown): void {
    this.#stop.abort(reason);
  }
}

export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  begin(
    work: (signal: AbortSignal) => Promise<Answer>,
    known: readonly InputAnswer[] = [],
  ): OpenCall {
    const call = new OpenCall(work, known);
    this.#calls.set(call.token, call);
    return call;
  }

  find(token: unknown): OpenCall | undefined {
    return typeof token === 'string' ? this.#calls.get(token) : undefined;
  }

  /** Ends the call, if it has not ended. */
  drop(call: OpenCall, reason: unknown): void {
    this.#calls.delete(call.token);
    call.end(reason);
  }

  /** The protocol does not say to which call a question belongs: it is the oldest one that asks nothing. */
  async ask(question: ServerQuestion, signal: AbortSignal): Promise<GivenAnswer> {
    const calls = [...this.#calls.values()];
    const call = calls.find(({isListening}) => isListening) ?? calls[0];
    return call ? await call.ask(question, signal) : {action: 'cancel'};
  }

  end(reason: unknown): void {
    for (const call of this.#calls.values()) call.end(reason);
  }
}
