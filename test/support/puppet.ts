/** A performer that does nothing by itself: a test settles each request by hand, in the order it likes. */

import type {AnyActorRef, AnyEventObject} from 'xstate';

import type {Performer, PortName} from '../../machines/ports.ts';

/** What passed between the charts and the world, in order. `path` is the ids of actors from below the root. */
export type Happening =
  | {
      readonly type: 'requested';
      readonly path: string;
      readonly port: PortName;
      readonly request: unknown;
    }
  | {
      readonly type: 'settled';
      readonly path: string;
      readonly port: PortName;
      readonly request: unknown;
      readonly outcome: object;
    }
  | {readonly type: 'withdrawn'; readonly path: string; readonly port: PortName}
  | {readonly type: 'fired'; readonly timer: string}
  | {readonly type: 'sent'; readonly event: AnyEventObject};

export interface OpenRequest {
  readonly path: string;
  readonly port: PortName;
  readonly request: unknown;
}

export interface Puppet {
  readonly performer: Performer;
  readonly happenings: Happening[];
  readonly open: () => readonly OpenRequest[];
  /** Delivers an outcome. Throws when nothing at `path` waits for one. */
  readonly settle: (path: string, outcome: object) => void;
}

export function createPuppet(): Puppet {
  const waiting = new Map<AnyActorRef, OpenRequest>();
  const happenings: Happening[] = [];
  const take = (actor: AnyActorRef | undefined): OpenRequest => {
    const open = actor && waiting.get(actor);
    if (!actor || !open) throw new Error('no request is open there');
    waiting.delete(actor);
    return open;
  };
  return {
    happenings,
    performer: {
      request({port, request}, actor) {
        const open = {path: pathOf(actor), port, request};
        waiting.set(actor, open);
        happenings.push({type: 'requested', ...open});
      },
      withdraw(actor) {
        const {path, port} = take(actor);
        happenings.push({type: 'withdrawn', path, port});
      },
    },
    open: () => [...waiting.values()],
    settle(path, outcome) {
      const actor = [...waiting.keys()].find((candidate) => waiting.get(candidate)?.path === path);
      const open = take(actor);
      happenings.push({type: 'settled', ...open, outcome});
      actor?.send({type: 'effect.settled', outcome: {at: 0, ms: 1, ...outcome}});
    },
  };
}

/** The ids of an actor and its ancestors, without the root's. */
export function pathOf(actor: AnyActorRef): string {
  const {_parent: parent} = actor;
  if (!parent) return '';
  const above = pathOf(parent);
  return above === '' ? actor.id : `${above}/${actor.id}`;
}
