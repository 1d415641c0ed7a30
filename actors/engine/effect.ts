/** Effects under way: who asked, under which key, and a digest of what was asked. */

import type {AnyActorRef} from 'xstate';

import {quickDigest} from '../../machines/domain/digest.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {Repeatability} from '../../machines/domain/tool.ts';
import type {Asked} from '../../machines/ports.ts';

export type Effect = Asked & {
  /** The path of the actor's ids and a count for that path: the same on every replay. */
  readonly key: string;
  readonly actor: AnyActorRef;
  /** Digest of the request. */
  readonly digest: string;
  readonly repeatability: Repeatability;
  /** Made when it starts. */
  abort: AbortController | undefined;
  /** Its actor was stopped: the outcome is recorded, but nobody hears it. */
  isWithdrawn: boolean;
  isStarted: boolean;
  /** A `requested` entry of an earlier process is in the journal. */
  isRecorded: boolean;
};

/** A question that waits for a person. */
export interface OpenGate {
  /** The key of its effect. */
  readonly gate: string;
  readonly question: HumanQuestion;
}

export function toGate(effect: Effect): OpenGate[] {
  return effect.port === 'askHuman' ? [{gate: effect.key, question: effect.request}] : [];
}

/** The actor above. XState has no public name for it. */
export function parentOf(actor: AnyActorRef): AnyActorRef | undefined {
  const {_parent: parent} = actor;
  return parent;
}

/** Names effects by the path of their actors. Holds one count a path. */
export class EffectKeys {
  readonly #counts = new Map<string, number>();
  readonly #paths = new WeakMap<AnyActorRef, string>();

  next(actor: AnyActorRef): string {
    const path = this.pathOf(actor);
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    return `${path}#${count}`;
  }

  pathOf(actor: AnyActorRef): string {
    const known = this.#paths.get(actor);
    if (known !== undefined) return known;
    const parent = parentOf(actor);
    const path = parent ? `${this.pathOf(parent)}/${actor.id}` : actor.id;
    this.#paths.set(actor, path);
    return path;
  }
}

/** System prompts are long, few, and the same in every turn. */
const systemDigests = new Map<string, string>();
const maxSystemDigests = 100;

/** A digest of a request in time independent of how long its conversation is: a transcript stands for itself. */
export function digestRequest(asked: Asked): string {
  if (asked.port !== 'callModel') return quickDigest(asked.port + JSON.stringify(asked.request));
  const {transcript, system, ...request} = asked.request;
  return quickDigest(transcript.digest + digestSystem(system) + JSON.stringify(request));
}

function digestSystem(system: string): string {
  const known = systemDigests.get(system);
  if (known !== undefined) return known;
  if (systemDigests.size >= maxSystemDigests) systemDigests.clear();
  const digest = quickDigest(system);
  systemDigests.set(system, digest);
  return digest;
}

export function repeatabilityOf(asked: Asked): Repeatability {
  return asked.port === 'runTool' ? asked.request.repeatability : 'repeatable';
}
