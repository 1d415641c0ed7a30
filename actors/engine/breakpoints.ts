/**
 * Breakpoints of a tree: the kinds of effects before which it is held. Only received events change them, so a replay is held
 * where the run was.
 *
 * passing → held → passing
 */

import type {Json, JsonObject} from '../../machines/domain/json.ts';
import type {EffectKind} from '../../machines/port-natures.ts';
import type {EffectTable} from './effect-table.ts';
import {type Effect, isOpen} from './effect.ts';
import type {Incoming} from './incoming.ts';

/** The effect before which a run is held. */
export interface Held extends EffectKind {
  /** Its key. */
  readonly effect: string;
}

const holding = 'run.held';
const releasing = 'run.released';
const changing = 'breakpoints.changed';

const ofBreakpoints: ReadonlySet<unknown> = new Set([holding, releasing, changing]);

/** True for events that change or record breakpoints and holds. They concern the engine only, and contain only names. */
export function isOfBreakpoints({type}: JsonObject): boolean {
  return ofBreakpoints.has(type);
}

export class Breakpoints {
  readonly #effects: EffectTable;
  /** Effects that a release lets begin. */
  readonly #released = new WeakSet<Effect>();
  #before: readonly string[] = [];
  #stopped: Effect | undefined;

  constructor(effects: EffectTable) {
    this.#effects = effects;
  }

  /** Names in the kinds of effects. */
  get before(): readonly string[] {
    return this.#before;
  }

  /** False as soon as the effect is settled or withdrawn. */
  get isHeld(): boolean {
    return this.#stopped !== undefined && isOpen(this.#stopped);
  }

  get held(): Held | undefined {
    return this.#stopped && this.isHeld ? heldAt(this.#stopped) : undefined;
  }

  /** True for an effect of a kind that is stopped, unless it was released. */
  stops(effect: Effect): boolean {
    if (this.#before.length === 0 || this.#released.has(effect)) return false;
    const names: readonly string[] = Object.values(kindOf(effect));
    return names.some((name) => this.#before.includes(name));
  }

  /** The end of a process ends its debugging too, and a cancel prevails over every hold. */
  receive({type, before, effect}: JsonObject): void {
    if (type === changing) this.#before = textsIn(before);
    else if (type === holding) this.#stopped = effectAt(effect, this.#effects);
    else if (type === releasing) this.#release(effect);
    else if (type === 'run.resumed' || type === 'user.cancel') {
      this.#before = [];
      this.#stopped = undefined;
    }
  }

  #release(key: Json | undefined): void {
    if (this.#stopped?.key !== key) return;
    if (this.#stopped) this.#released.add(this.#stopped);
    this.#stopped = undefined;
  }
}

/** The input that holds the tree before the effect. */
export function holdBefore(effect: Effect): Incoming {
  return {kind: 'received', event: {type: holding, ...heldAt(effect)}};
}

/** The effect before which the input is about to hold the tree; undefined for a settled or withdrawn effect. */
export function heldBy(incoming: Incoming, effects: EffectTable): Held | undefined {
  if (incoming.kind !== 'received' || incoming.event['type'] !== holding) return undefined;
  const effect = effectAt(incoming.event['effect'], effects);
  return effect && isOpen(effect) ? heldAt(effect) : undefined;
}

function effectAt(key: Json | undefined, effects: EffectTable): Effect | undefined {
  return typeof key === 'string' ? effects.get(key) : undefined;
}

function heldAt(effect: Effect): Held {
  return {effect: effect.key, ...kindOf(effect)};
}

function kindOf({port, nature, request}: Effect): EffectKind {
  return {port, ...nature.kind?.(request)};
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
