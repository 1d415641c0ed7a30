/**
 * The effects whose performers are running. Each call ends exactly once: with the outcome of its performer, or with a
 * substitute when the performer does not end within {@link graceMs} after an abort. A call that exceeds its time limit is
 * aborted.
 */

import {type Failure, toFailure} from '../../machines/domain/failure.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {neverMs} from '../../machines/port-natures.ts';
import {type Effect, isAtWork} from './effect.ts';
import {crashIn, crashOutcome} from './incoming.ts';

/** How long an aborted performer may take to end. */
export const graceMs = 5_000;

/** In place of an outcome: the effect did not begin, and begins when the tree is resumed; the host suspends the tree. */
export const notBegun = Symbol('not begun');

/** A performer rejects with it: the machine is short of something, and the effect did not begin. */
export class Shortage extends Error {}

export interface CallContext {
  readonly signal: AbortSignal;
  /** A `requested` entry exists and no outcome: an earlier process may have performed it. */
  readonly recovering: boolean;
  /** Called when the performer starts to wait for other effects, and when it stops: its time limit starts anew then. */
  readonly hold: (isHeld: boolean) => void;
}

export interface CallsOptions {
  /** Performs an effect. May resolve with {@link notBegun}. Rejects only for bugs. */
  readonly perform: (effect: Effect, context: CallContext) => Promise<unknown>;
  /** A performer has started or stopped waiting for others. */
  readonly onHeld: () => void;
  /** `outcome` is plain JSON that fits the port, or the outcome of a crash. */
  readonly onLanded: (effect: Effect, outcome: JsonObject, ms: number) => void;
  /** `stage`: the one before it was to begin. */
  readonly onNotBegun: (effect: Effect, stage: Effect['stage']) => void;
  /** An abandoned performer may still be running. */
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
      (value) =>
        value === notBegun
          ? this.#drop(call, recovering)
          : this.#land(call, () => toOutcome(effect, value)),
      (error: unknown) => this.#land(call, () => crashOutcome(toFailure(error))),
    );
  }

  /** Aborts the performer, which has {@link graceMs} to end. */
  abort(effect: Effect, why?: DOMException): void {
    const call = this.#atWork.get(effect);
    if (!call || call.grace) return;
    call.grace = setTimeout(() => this.#giveUp(call), graceMs);
    call.controller.abort(why);
  }

  /** Resolves when all calls have ended. */
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
    const message = `${effect.port} did not end after it was aborted; it was abandoned after ${seconds} s and may still be running`;
    this.#land(call, () => givenUpOf(effect, message));
    this.#options.onGivenUp(effect, message);
  }

  #drop(call: Call, recovering: boolean): void {
    if (!this.#take(call)) return;
    this.#options.onNotBegun(call.effect, recovering ? 'requested' : 'wanted');
    if (this.isIdle) this.#whenIdle?.resolve(undefined);
  }

  /** False when the call has ended already. */
  #take({effect, limit, grace}: Call): boolean {
    clearTimeout(limit);
    clearTimeout(grace);
    return this.#atWork.delete(effect);
  }

  #land(call: Call, toJson: () => JsonObject): void {
    const {effect, startedAt} = call;
    if (!this.#take(call)) return;
    const ms = Math.round(performance.now() - startedAt);
    this.#options.onLanded(effect, toJson(), ms);
    if (this.isIdle) this.#whenIdle?.resolve(undefined);
  }
}

/** The same error as of `AbortSignal.timeout`, so that a performer can distinguish it from the end of a run. */
function tooLong(): DOMException {
  return new DOMException('the call exceeded its time limit', 'TimeoutError');
}

/** UTF-16 units of its JSON. */
export const maxOutcomeUnits = 16_000_000;

/**
 * The outcome that the journal will hold for `value`. Never throws. A value that JSON can't hold, that is too large or that
 * does not fit the port is a bug of the performer, and results in the outcome of a crash.
 */
export function toOutcome({port, nature}: Effect, value: unknown): JsonObject {
  const name = `the outcome of ${port}`;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    return crashed(`${name} is not JSON: ${toFailure(error).message}`);
  }
  if (text === undefined) return crashed(`${name} is ${typeof value}`);
  if (text.length > maxOutcomeUnits) {
    return crashed(`${name} is larger than ${maxOutcomeUnits} characters`);
  }
  const outcome: unknown = JSON.parse(text);
  if (!isJsonObject(outcome)) return crashed(`${name} is not an object`);
  const problem = nature.outcome(outcome, name);
  return problem === undefined ? outcome : crashed(problem);
}

function crashed(message: string): JsonObject {
  const failure: Failure = {code: 'internal', message};
  return crashOutcome(failure);
}

// Outcomes of effects that were interrupted, by the end of their process or by a suspend.

/** The outcome of an effect that an earlier process has begun and that must not be repeated silently; undefined for others. */
export function doubtOf({nature, repeatability, stage}: Effect): JsonObject | undefined {
  if (repeatability !== 'once') return undefined;
  if (stage === 'requested')
    return nature.doubt?.('it was started, and the process died before it recorded the outcome.');
  if (stage === 'lost')
    return nature.doubt?.(
      'it, or another in its place, was started before, and the end of the journal, which recorded the outcome, is lost.',
    );
  return undefined;
}

/** The outcome that a suspend records of an effect that ended after the abort; undefined when the effect can be repeated. */
export function keptOf(
  {nature, repeatability}: Effect,
  outcome: JsonObject,
): JsonObject | undefined {
  const crash = crashIn(outcome);
  if (!crash && nature.isCut?.(outcome) === false) return outcome;
  if (repeatability !== 'once') return undefined;
  const how = crash ? `it was abandoned (${crash.message})` : 'it was interrupted';
  return nature.doubt?.(`${how} when the run was suspended.`, outcome);
}

/** The outcome of an effect whose performer did not end after an abort, and may still be running. */
function givenUpOf({nature, repeatability}: Effect, message: string): JsonObject {
  const doubt = repeatability === 'once' ? nature.doubt?.(message) : undefined;
  return doubt ?? crashOutcome({code: 'given_up', message});
}
