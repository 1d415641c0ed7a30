/**
 * The moments of a trace: the actors after each step. Every 200th is kept, the others are computed from the nearest one before,
 * so that going backwards costs as little as going forwards.
 */

import type {Json} from '../domain/json.ts';
import {applyPatch} from './patch.ts';
import type {ActorChange, ActorState, EffectRequest, Step} from './step.ts';

export interface Moment {
  /** Of the step after which it is. */
  readonly seq: number;
  readonly at: number;
  /** By path, each actor after its parent. */
  readonly actors: ReadonlyMap<string, ActorState>;
  /** The effects without an outcome, by the path of their actors. */
  readonly open: ReadonlyMap<string, EffectRequest>;
}

const beginning: Moment = {seq: -1, at: 0, actors: new Map(), open: new Map()};

const spacing = 200;

export class Moments {
  readonly #steps: Step[] = [];
  /** The moments before the steps 0, 200, 400 … */
  readonly #kept: Moment[] = [beginning];
  #last = beginning;
  #shown = {index: -1, moment: beginning};

  get steps(): readonly Step[] {
    return this.#steps;
  }

  add(steps: readonly Step[]): void {
    for (let from = 0; from < steps.length;) {
      const room = spacing - (this.#steps.length % spacing);
      const some = steps.slice(from, from + room);
      from += some.length;
      this.#last = after(this.#last, some);
      for (const step of some) this.#steps.push(step);
      if (this.#steps.length % spacing === 0) this.#kept.push(this.#last);
    }
  }

  /** After the step with this index; -1, and an index beyond the ends, means the nearest one. */
  at(index: number): Moment {
    const wanted = Math.min(index, this.#steps.length - 1);
    if (wanted < 0) return beginning;
    if (wanted === this.#steps.length - 1) return this.#last;
    const base = Math.floor((wanted + 1) / spacing);
    const first = base * spacing;
    const isNear = this.#shown.index >= first - 1 && this.#shown.index <= wanted;
    const from = isNear ? this.#shown : {index: first - 1, moment: this.#kept[base] ?? beginning};
    const moment = after(from.moment, this.#steps.slice(from.index + 1, wanted + 1));
    this.#shown = {index: wanted, moment};
    return moment;
  }

  /** The index of the last step that is not after this seq; -1: there is none. */
  indexOf(seq: number): number {
    let [low, high] = [0, this.#steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#steps[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The maps are copied once for all steps, and not at all if none changes them. */
function after(before: Moment, steps: readonly Step[]): Moment {
  const last = steps.at(-1);
  if (!last) return before;
  const {seq, at} = last;
  if (steps.every(({changes, requests}) => changes.length + requests.length === 0))
    return {...before, seq, at};
  const actors = new Map(before.actors);
  const open = new Map(before.open);
  for (const step of steps) advance(step, actors, open);
  return {seq, at, actors, open};
}

function advance(
  {changes, requests}: Step,
  actors: Map<string, ActorState>,
  open: Map<string, EffectRequest>,
): void {
  for (const request of requests) open.set(request.actor, request);
  for (const change of changes) {
    apply(change, actors);
    const actor = actors.get(change.path);
    if (!actor || (actor.machine === undefined && actor.status !== 'active'))
      open.delete(change.path);
  }
  for (const path of open.keys()) if (!actors.has(path)) open.delete(path);
}

function apply(change: ActorChange, actors: Map<string, ActorState>): void {
  if (change.change === 'started') {
    const {change: _, ...state} = change;
    actors.set(change.path, state);
  } else if (change.change === 'ended') {
    const below = `${change.path}/`;
    for (const path of actors.keys())
      if (path === change.path || path.startsWith(below)) actors.delete(path);
  } else {
    const known = actors.get(change.path);
    if (known) actors.set(change.path, moved(known, change));
  }
}

function moved(
  known: ActorState,
  {status, state, context, last}: Extract<ActorChange, {readonly change: 'moved'}>,
): ActorState {
  const changed: Json = context ? applyPatch(known.context, context) : known.context;
  return {
    ...known,
    context: changed,
    ...(status === undefined ? {} : {status}),
    ...(state === undefined ? {} : {state}),
    ...(last === undefined ? {} : {last}),
  };
}
