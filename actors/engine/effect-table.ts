/** The effects of one tree that have no outcome yet. */

import type {AnyActorRef} from 'xstate';

import type {PortTable} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {type EffectKeys, createEffect, type Effect, isAtWork, isOpen, type Move} from './effect.ts';

/** An effect whose `requested` entry is lost, and that the charts have not requested again so far. */
interface Missed {
  readonly key: string;
  readonly request: string;
}

export class EffectTable {
  readonly #table: PortTable;
  readonly #keys: EffectKeys;
  readonly #move: Move | undefined;
  readonly #byKey = new Map<string, Effect>();
  /** Not a WeakMap: minor garbage collections do not free an entry whose value references its key. */
  readonly #byActor = new Map<AnyActorRef, Effect>();
  #isLive = false;
  #wanted: Effect[] = [];
  #cut: Effect[] = [];
  #missed: Missed[] = [];

  constructor(table: PortTable, keys: EffectKeys, move: Move | undefined) {
    this.#table = table;
    this.#keys = keys;
    this.#move = move;
  }

  get(key: string): Effect | undefined {
    return this.#byKey.get(key);
  }

  /** Effects whose outcomes are still awaited, in the order of their requests. */
  get open(): Effect[] {
    return [...this.#byKey.values()].filter(isOpen);
  }

  /** True while a performer is awaited that does not itself wait for others. */
  get isBusy(): boolean {
    for (const effect of this.#byKey.values()) {
      const {nature, stage} = effect;
      if (isOpen(effect) && nature.settledBy === 'performer' && stage !== 'held') return true;
    }
    return false;
  }

  add(asked: Asked, actor: AnyActorRef): Effect {
    const key = this.#keys.nextKey(actor);
    const effect = createEffect(asked, {key, actor, table: this.#table, move: this.#move});
    this.#byKey.set(key, effect);
    this.#byActor.set(actor, effect);
    this.#recognise(effect);
    if (this.#isLive) this.#wanted.push(effect);
    return effect;
  }

  /** Keys of effects whose `requested` entries are lost, and that were not requested again. */
  get missed(): string[] {
    return this.#missed.map(({key}) => key);
  }

  /** Records an effect whose entry is lost. An open or later one with its key, or else its request, may be the same effect. */
  miss(begun: Missed): void {
    this.#missed.push(begun);
    for (const effect of this.open) this.#recognise(effect);
  }

  #recognise(effect: Effect): void {
    const {key, digest, repeatability, stage} = effect;
    if (this.#missed.length === 0 || repeatability === 'repeatable' || stage !== 'wanted') return;
    const missed =
      this.#missed.find((begun) => begun.key === key) ??
      this.#missed.find(({request}) => request === digest);
    if (!missed) return;
    effect.stage = 'lost';
    this.#missed = this.#missed.filter((begun) => begun !== missed);
  }

  /** Its actor has stopped. Live, an effect without a performer has no outcome; in a replay, an entry may still hold one. */
  withdraw(actor: AnyActorRef): Effect | undefined {
    const effect = this.#byActor.get(actor);
    if (!effect) return undefined;
    const wasAtWork = isAtWork(effect);
    effect.stage = 'withdrawn';
    if (wasAtWork) this.#cut.push(effect);
    else if (this.#isLive) this.#forget(effect);
    return effect;
  }

  /** Returns true when the outcome was still awaited. */
  settle(effect: Effect): boolean {
    const wasOpen = isOpen(effect);
    effect.stage = 'settled';
    this.#forget(effect);
    return wasOpen;
  }

  #forget({key, actor}: Effect): void {
    this.#byKey.delete(key);
    this.#byActor.delete(actor);
  }

  /** Ends the replay: forgets withdrawn effects, and wants all open ones. */
  goLive(): void {
    this.#isLive = true;
    for (const effect of this.#byKey.values()) {
      if (!isOpen(effect)) this.#forget(effect);
    }
    this.#wanted = this.open;
  }

  /** Keeps an effect that can't begin yet for the next {@link takeWanted}. */
  wantAgain(effect: Effect): void {
    effect.stage = 'wanted';
    this.#wanted.push(effect);
  }

  /** Takes the effects that have become wanted since the last call and are still open. */
  takeWanted(): Effect[] {
    return this.#wanted.splice(0).filter(isOpen);
  }

  /** Takes the effects that were withdrawn since the last call while a performer had them. */
  takeCut(): Effect[] {
    return this.#cut.splice(0);
  }
}
