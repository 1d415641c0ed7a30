/** The effects of one tree that have no outcome yet. */

import type {AnyActorRef} from 'xstate';

import type {PortTable} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {type EffectKeys, createEffect, type Effect, isAtWork, isOpen} from './effect.ts';

/** What was begun in entries that are gone, and was not asked for again so far. */
interface Missed {
  readonly key: string;
  readonly request: string;
}

export class EffectTable {
  readonly #table: PortTable;
  readonly #keys: EffectKeys;
  readonly #byKey = new Map<string, Effect>();
  /** No weak map: minor collections of garbage take nothing that is in one, if it leads back to its key. */
  readonly #byActor = new Map<AnyActorRef, Effect>();
  #isLive = false;
  #wanted: Effect[] = [];
  #cut: Effect[] = [];
  #missed: Missed[] = [];

  constructor(table: PortTable, keys: EffectKeys) {
    this.#table = table;
    this.#keys = keys;
  }

  get(key: string): Effect | undefined {
    return this.#byKey.get(key);
  }

  /** Those whose outcome somebody still waits for, in the order in which they were asked for. */
  get open(): Effect[] {
    return [...this.#byKey.values()].filter(isOpen);
  }

  /** Whether anything but a person, or others who are at work, is waited for. */
  get isBusy(): boolean {
    for (const effect of this.#byKey.values()) {
      const {nature, stage} = effect;
      if (isOpen(effect) && nature.settledBy === 'performer' && stage !== 'held') return true;
    }
    return false;
  }

  add(asked: Asked, actor: AnyActorRef): Effect {
    const key = this.#keys.nextKey(actor);
    const effect = createEffect(asked, {key, actor, table: this.#table});
    this.#byKey.set(key, effect);
    this.#byActor.set(actor, effect);
    this.#recognise(effect);
    if (this.#isLive) this.#wanted.push(effect);
    return effect;
  }

  /** Keys of what was begun in entries that are gone, and was not asked for again. */
  get missed(): string[] {
    return this.#missed.map(({key}) => key);
  }

  /** Begun, as an entry said that is gone: what is asked for in its place, or the next that is the same, may be it. */
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

  /** Its actor has stopped. Live, one that nobody performs leaves no outcome; in a replay an entry may still hold one. */
  withdraw(actor: AnyActorRef): Effect | undefined {
    const effect = this.#byActor.get(actor);
    if (!effect) return undefined;
    const wasAtWork = isAtWork(effect);
    effect.stage = 'withdrawn';
    if (wasAtWork) this.#cut.push(effect);
    else if (this.#isLive) this.#forget(effect);
    return effect;
  }

  /** Says whether somebody waited for it. */
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

  /** After a replay: forgets what was withdrawn, and wants all that is left. */
  goLive(): void {
    this.#isLive = true;
    for (const effect of this.#byKey.values()) {
      if (!isOpen(effect)) this.#forget(effect);
    }
    this.#wanted = this.open;
  }

  /** It can't begin yet. */
  wantAgain(effect: Effect): void {
    effect.stage = 'wanted';
    this.#wanted.push(effect);
  }

  /** What is wanted since the last time, and is still. */
  takeWanted(): Effect[] {
    return this.#wanted.splice(0).filter(isOpen);
  }

  /** Those at work that were withdrawn since the last time. */
  takeCut(): Effect[] {
    return this.#cut.splice(0);
  }
}
