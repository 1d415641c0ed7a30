/**
 * The effects that performers have at work. Each lands exactly once: with what the performer came to, or without it
 * when the performer takes longer than its port allows or ignores that it was aborted.
 */

import {toFailure} from '../../machines/domain/failure.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {neverMs} from '../../machines/port-natures.ts';
import {type Effect, isAtWork} from './effect.ts';
import {crashOutcome} from './incoming.ts';
import {toOutcome} from './outcome.ts';
import {givenUpOf} from './recovery.ts';

/** How long an aborted performer has to come to an end. */
export const graceMs = 5_000;

export interface CallContext {
  readonly signal: AbortSignal;
  /** A `requested` entry exists and no outcome: an earlier process may have performed it. */
  readonly recovering: boolean;
  /** To be told when it waits until others are done, and when it does no more: its time limit begins then. */
  readonly hold: (isHeld: boolean) => void;
}

export interface CallsOptions {
  /** Performs an effect. Rejects only for bugs. */
  readonly perform: (effect: Effect, context: CallContext) => Promise<unknown>;
  /** One of them waits for others now, or no more. */
  readonly onHeld: () => void;
  /** Its outcome is plain JSON that fits its port, or that of a crash. */
  readonly onLanded: (effect: Effect, outcome: JsonObject, ms: number) => void;
  /** A performer that was given up may still be at work. */
  readonly onGivenUp: (effect: Effect, why: string) => void;
}

interface Call {
  readonly effect: Effect;
  readonly startedAt: number;
  readonly controller: AbortController;
  limit?: NodeJS.Timeout;
  grace?: NodeJS.Timeout;
}

export class Calls {
  readonly #options: CallsOptions;
  readonly #atWork = new Map<Effect, Call>();
  #whenIdle: PromiseWithResolvers<undefined> | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#atWork.size === 0;
  }

  /** `recovering`: an earlier process may have performed it. */
  start(effect: Effect, recovering: boolean): void {
    const {perform} = this.#options;
    const controller = new AbortController();
    const call: Call = {effect, controller, startedAt: performance.now()};
    this.#atWork.set(effect, call);
    this.#limit(call);
    const hold = (isHeld: boolean): void => this.#hold(call, isHeld);
    perform(effect, {signal: controller.signal, recovering, hold}).then(
      (value) => this.#land(call, () => toOutcome(effect, value)),
      (error: unknown) => this.#land(call, () => crashOutcome(toFailure(error))),
    );
  }

  /** Tells its performer, who has {@link graceMs} to come to an end. */
  abort(effect: Effect, why?: DOMException): void {
    const call = this.#atWork.get(effect);
    if (!call || call.grace) return;
    call.grace = setTimeout(() => this.#giveUp(call), graceMs);
    call.controller.abort(why);
  }

  /** Resolves when all have landed. */
  async abortAll(): Promise<void> {
    for (const effect of this.#atWork.keys()) this.abort(effect);
    if (this.isIdle) return;
    this.#whenIdle ??= Promise.withResolvers();
    await this.#whenIdle.promise;
  }

  #limit(call: Call): void {
    const {effect} = call;
    if (effect.limitMs >= neverMs) return;
    call.limit = setTimeout(() => this.abort(effect, tooLong()), effect.limitMs);
  }

  #hold(call: Call, isHeld: boolean): void {
    const {effect, grace} = call;
    const stage = isHeld ? 'held' : 'performing';
    if (grace || !isAtWork(effect) || effect.stage === stage) return;
    effect.stage = stage;
    clearTimeout(call.limit);
    if (!isHeld) this.#limit(call);
    this.#options.onHeld();
  }

  #giveUp(call: Call): void {
    const {effect, startedAt} = call;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const message = `${effect.port} did not end when it was told to; it was given up after ${seconds} s, and may still be at work`;
    this.#land(call, () => givenUpOf(effect, message));
    this.#options.onGivenUp(effect, message);
  }

  #land(call: Call, toJson: () => JsonObject): void {
    const {effect, startedAt} = call;
    if (!this.#atWork.delete(effect)) return;
    clearTimeout(call.limit);
    clearTimeout(call.grace);
    const ms = Math.round(performance.now() - startedAt);
    this.#options.onLanded(effect, toJson(), ms);
    if (this.isIdle) this.#whenIdle?.resolve(undefined);
  }
}

/** As `AbortSignal.timeout` has it, so that a performer can tell it from the end of a run. */
function tooLong(): DOMException {
  return new DOMException('it took longer than it may', 'TimeoutError');
}
