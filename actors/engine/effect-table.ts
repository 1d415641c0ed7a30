/** The effects of one run that have no outcome yet. */

import type {AnyActorRef} from 'xstate';

import type {Asked} from '../../machines/ports.ts';
import {digestRequest, type Effect, EffectKeys, repeatabilityOf} from './effect.ts';

export class EffectTable {
  /** Withdrawn ones included until their outcome comes. */
  readonly #byKey = new Map<string, Effect>();
  readonly #byActor = new WeakMap<AnyActorRef, Effect>();
  readonly #keys = new EffectKeys();
  readonly #inFlight = new Set<Effect>();
  #wanted: Effect[] = [];
  #toAbort: Effect[] = [];

  get(key: string): Effect | undefined {
    return this.#byKey.get(key);
  }

  get keys(): string[] {
    return [...this.#byKey.keys()];
  }

  add(asked: Asked, actor: AnyActorRef): Effect {
    const effect: Effect = {
      ...asked,
      key: this.#keys.next(actor),
      actor,
      digest: digestRequest(asked),
      repeatability: repeatabilityOf(asked),
      abort: undefined,
      isWithdrawn: false,
      isStarted: false,
      isRecorded: false,
    };
    this.#byKey.set(effect.key, effect);
    this.#byActor.set(actor, effect);
    this.#wanted.push(effect);
    return effect;
  }

  /** Its actor has stopped. One that never started leaves no outcome, unless a replay still holds one. */
  withdraw(actor: AnyActorRef, isLive: boolean): Effect | undefined {
    const effect = this.#byActor.get(actor);
    if (!effect || !this.#byKey.has(effect.key)) return undefined;
    effect.isWithdrawn = true;
    if (effect.isStarted) this.#toAbort.push(effect);
    else if (isLive) this.#byKey.delete(effect.key);
    return effect;
  }

  settle(effect: Effect): void {
    this.#byKey.delete(effect.key);
  }

  /** After a replay: forgets what was withdrawn, and wants all that is left. */
  wantAll(): void {
    for (const effect of this.#byKey.values()) {
      if (effect.isWithdrawn) this.#byKey.delete(effect.key);
    }
    this.#wanted = [...this.#byKey.values()];
  }

  takeWanted(): Effect[] {
    return this.#wanted.splice(0).filter(({isWithdrawn}) => !isWithdrawn);
  }

  launch(effect: Effect): AbortSignal {
    effect.abort = new AbortController();
    this.#inFlight.add(effect);
    return effect.abort.signal;
  }

  land(effect: Effect): void {
    this.#inFlight.delete(effect);
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  abortWithdrawn(): void {
    for (const effect of this.#toAbort.splice(0)) effect.abort?.abort();
  }

  abortAll(): void {
    for (const effect of this.#inFlight) effect.abort?.abort();
  }

  /** Human gates that wait for a decision. */
  get gates(): Effect[] {
    return [...this.#byKey.values()].filter(
      ({port, isWithdrawn}) => port === 'askHuman' && !isWithdrawn,
    );
  }

  /** Keys of the effects whose outcome somebody still waits for. */
  get open(): string[] {
    return [...this.#byKey.values()].flatMap(({key, isWithdrawn}) => (isWithdrawn ? [] : [key]));
  }

  /** Model calls without an outcome: after a crash they may have been made. */
  get pendingCalls(): string[] {
    return [...this.#byKey.values()].flatMap(({port, isWithdrawn, key}) =>
      port === 'callModel' && !isWithdrawn ? [key] : [],
    );
  }

  /** Whether anything but a person is waited for. */
  get isBusy(): boolean {
    for (const {port, isWithdrawn} of this.#byKey.values()) {
      if (port !== 'askHuman' && !isWithdrawn) return true;
    }
    return false;
  }
}
