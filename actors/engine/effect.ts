/**
 * One effect: its request, its key, its actor and its stage.
 *
 * wanted → (requested | lost →) performing → settled
 * performing → held → performing
 * requested → wanted, when the run is suspended before it has begun
 * wanted, requested, lost, performing, held → withdrawn → settled
 */

import type {AnyActorRef} from 'xstate';

import {quickDigest} from '../../machines/domain/digest.ts';
import type {PortNature, PortTable} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {parentOf, pathOf} from '../../machines/tree/path.ts';

export type EffectStage =
  /** A chart waits for it; nothing was done. */
  | 'wanted'
  /** An earlier process recorded that it was about to perform it, and left no outcome. */
  | 'requested'
  /** As `requested`, but the entry is lost: it was this effect, or another in its place. */
  | 'lost'
  /** A performer is at work, or a person has been asked. */
  | 'performing'
  /** Its performer waits until others are done. This does not count as time at work. */
  | 'held'
  /** Its actor was stopped: an outcome that still arrives is recorded, but not delivered. */
  | 'withdrawn'
  | 'settled';

export type Effect = Asked & {
  /** The path of the actor's ids and a count for that path: the same on every replay. */
  readonly key: string;
  /** It receives the outcome. */
  readonly actor: AnyActorRef;
  /** The actor of the chart that requested it. */
  readonly chart: AnyActorRef | undefined;
  readonly nature: PortNature<unknown>;
  /** Digest of the essence of the request, as its port defines it. */
  readonly digest: string;
  readonly repeatability: ReturnType<PortNature<unknown>['repeatability']>;
  /** The limit that its port sets. */
  readonly limitMs: number;
  stage: EffectStage;
};

/** The folder of a run that was moved. */
export interface Move {
  /** As the opening records it. Digests name it in every folder, so that a replay reproduces them. */
  readonly from: string;
  readonly to: string;
}

interface EffectOrigin extends Pick<Effect, 'key' | 'actor' | 'chart'> {
  readonly table: PortTable;
  readonly move: Move | undefined;
}

/** Throws Error for a port that is not in the table: a bug in the code that made the table. */
function createEffect(asked: Asked, {key, actor, chart, table, move}: EffectOrigin): Effect {
  const nature = table[asked.port];
  if (!nature) throw new Error(`the port ${asked.port} is not in the engine's table`);
  return {
    ...asked,
    key,
    actor,
    chart,
    nature,
    digest: quickDigest(`${asked.port} ${nature.essence(asRecorded(asked.request, move))}`),
    repeatability: nature.repeatability(asked.request),
    limitMs: nature.limitMs(asked.request),
    stage: 'wanted',
  };
}

function asRecorded(request: Asked['request'], move: Move | undefined): Asked['request'] {
  const isMoved = move !== undefined && 'workspace' in request && request.workspace === move.to;
  return isMoved ? {...request, workspace: move.from} : request;
}

/** True for an effect whose outcome may be lost at no cost: it is performed again after a crash. */
export function isLook({nature, repeatability}: Effect): boolean {
  return repeatability === 'repeatable' && !nature.isLogged;
}

/** True while a performer has it. */
export function isAtWork({nature, stage}: Effect): boolean {
  return nature.settledBy === 'performer' && (stage === 'performing' || stage === 'held');
}

/** True when only a person or a resume can settle it, and has been asked. */
export function isAsked({nature, stage}: Effect): boolean {
  return nature.settledBy !== 'performer' && stage === 'performing';
}

/** True when an earlier process may have performed it. */
export function hasBegunBefore({stage}: Effect): boolean {
  return stage === 'requested' || stage === 'lost';
}

/** True while its outcome is awaited. */
export function isOpen({stage}: Effect): boolean {
  return stage !== 'withdrawn' && stage !== 'settled';
}

/** The path of the actor of an effect, as in reports, from the key of the effect. */
export function actorIn(key: string): string {
  return key.slice(key.indexOf('/') + 1, key.lastIndexOf('#'));
}

/** Names effects by the path of their actor and a count for that path. */
export class EffectKeys {
  readonly #counts = new Map<string, number>();

  nextKey(path: string): string {
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    return `${path}#${count}`;
  }
}

// The effects of one tree that have no outcome yet.

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

  /** `port`: as `Performer.request` has it. */
  add(asked: Asked, actor: AnyActorRef, port?: string): Effect {
    const path = pathOf(actor);
    const key = this.#keys.nextKey(port === undefined ? path : `${path}/${port}`);
    const chart = port === undefined ? parentOf(actor) : actor;
    const effect = createEffect(asked, {key, actor, chart, table: this.#table, move: this.#move});
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
