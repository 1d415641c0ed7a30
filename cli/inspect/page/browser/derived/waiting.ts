/** Who waits for whom at a moment: an actor waits for its open effects, and for its active children. */

import type {Moment} from '../../../../../machines/trace/moments.ts';
import type {ActorState, EffectRequest} from '../../../../../machines/trace/step.ts';

export interface Wait {
  readonly kind: WaitKind;
  /** The subject of an effect; the name of a child. */
  readonly text: string;
  /** The path of the actor that is waited for. */
  readonly path: string;
}

export type WaitKind = 'person' | 'model' | 'tool' | 'resume' | 'effect' | 'actor';

const kinds: Readonly<Record<string, WaitKind>> = {
  askHuman: 'person',
  askPerson: 'person',
  callModel: 'model',
  runTool: 'tool',
  previewTool: 'tool',
  awaitResume: 'resume',
};

export function kindOfPort(port: string): WaitKind {
  return kinds[port] ?? 'effect';
}

/** The ids of the children that live as long as an actor with this machine. It does not wait for them. */
export type ServicesOf = (machine: string) => ReadonlySet<string>;

export type NameOf = (actor: ActorState) => string;

/** By path. Actors that wait for nothing are left out. */
export function waitsAt(
  {actors, open}: Moment,
  servicesOf: ServicesOf,
  nameOf: NameOf = idOf,
): ReadonlyMap<string, readonly Wait[]> {
  const waits = new Map<string, Wait[]>();
  for (const actor of actors.values()) {
    const {parent = '', status} = actor;
    const {machine} = actors.get(parent) ?? {};
    if (parent === '' || status !== 'active') continue;
    if (machine !== undefined && servicesOf(machine).has(idOf(actor))) continue;
    const wait = waitFor(actor, open.get(actor.path), nameOf);
    const others = waits.get(parent);
    if (others) others.push(wait);
    else waits.set(parent, [wait]);
  }
  return waits;
}

/** Without a request: for the actor itself. */
export function waitFor(
  actor: ActorState,
  request: EffectRequest | undefined,
  nameOf: NameOf = idOf,
): Wait {
  const {path} = actor;
  if (!request) return {kind: 'actor', text: nameOf(actor), path};
  const {port, label} = request;
  return {kind: kindOfPort(port), text: label === '' ? port : label, path};
}

/** The last part of the path. An id may contain a `/` itself. */
export function idOf({path, parent}: Pick<ActorState, 'path' | 'parent'>): string {
  return parent === undefined ? path : path.slice(parent.length + 1);
}
