/**
 * One effect: who asked, under which key, and how far it has come.
 *
 * wanted → (requested | lost →) performing → settled
 * performing → held → performing
 * requested → wanted, when the run is suspended before it has begun
 * wanted, requested, lost, performing, held → withdrawn → settled
 */

import type {AnyActorRef} from 'xstate';

import {quickDigest} from '../../machines/domain/digest.ts';
import type {Repeatability} from '../../machines/domain/repeatability.ts';
import type {PortNature, PortTable} from '../../machines/port-natures.ts';
import type {Asked} from '../../machines/ports.ts';
import {pathOf} from '../../machines/tree/path.ts';

export type EffectStage =
  /** A chart waits for it; nothing was done. */
  | 'wanted'
  /** An earlier process has made it durable that it was about to be performed, and left no outcome. */
  | 'requested'
  /** As requested, by entries that are gone: it, or another in its place. */
  | 'lost'
  /** A performer is at work, or a person has been asked. */
  | 'performing'
  /** Its performer waits until others are done: that is no time at work. */
  | 'held'
  /** Its actor was stopped: an outcome that still comes is recorded, and nobody hears it. */
  | 'withdrawn'
  | 'settled';

export type Effect = Asked & {
  /** The path of the actor's ids and a count for that path: the same on every replay. */
  readonly key: string;
  readonly actor: AnyActorRef;
  readonly nature: PortNature<unknown>;
  /** Digest of what decides in the request. */
  readonly digest: string;
  readonly repeatability: Repeatability;
  /** As its port has it. */
  readonly limitMs: number;
  stage: EffectStage;
};

/** Throws Error for a port that the table does not hold: a bug in whoever made the table. */
export function createEffect(
  asked: Asked,
  {
    key,
    actor,
    table,
  }: {readonly key: string; readonly actor: AnyActorRef; readonly table: PortTable},
): Effect {
  const nature = table[asked.port];
  if (!nature) throw new Error(`the port ${asked.port} is not in the engine's table`);
  return {
    ...asked,
    key,
    actor,
    nature,
    digest: quickDigest(`${asked.port} ${nature.essence(asked.request)}`),
    repeatability: nature.repeatability(asked.request),
    limitMs: nature.limitMs(asked.request),
    stage: 'wanted',
  };
}

/** Losing its outcome costs nothing: a look, done again after a crash. */
export function isLook({nature, repeatability}: Effect): boolean {
  return repeatability === 'repeatable' && !nature.isLogged;
}

/** Whether a performer has been given it, and has not come to an end. */
export function isAtWork({nature, stage}: Effect): boolean {
  return nature.settledBy === 'performer' && (stage === 'performing' || stage === 'held');
}

/** Whether nothing but a person, or a resume, brings it on: whoever is to be asked has been. */
export function isAsked({nature, stage}: Effect): boolean {
  return nature.settledBy !== 'performer' && stage === 'performing';
}

/** Whether an earlier process may have performed it. */
export function hasBegunBefore({stage}: Effect): boolean {
  return stage === 'requested' || stage === 'lost';
}

/** Whether somebody still waits for its outcome. */
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
