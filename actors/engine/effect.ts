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
import {pathOf} from '../../machines/tree/path.ts';

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
  readonly actor: AnyActorRef;
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

interface EffectOrigin {
  readonly key: string;
  readonly actor: AnyActorRef;
  readonly table: PortTable;
  readonly move: Move | undefined;
}

/** Throws Error for a port that is not in the table: a bug in the code that made the table. */
export function createEffect(asked: Asked, {key, actor, table, move}: EffectOrigin): Effect {
  const nature = table[asked.port];
  if (!nature) throw new Error(`the port ${asked.port} is not in the engine's table`);
  return {
    ...asked,
    key,
    actor,
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

/** Names effects by the path of their actor and a count for that path. */
export class EffectKeys {
  readonly #counts = new Map<string, number>();

  nextKey(actor: AnyActorRef): string {
    const path = pathOf(actor);
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    return `${path}#${count}`;
  }
}
