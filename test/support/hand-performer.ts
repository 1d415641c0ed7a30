/** A performer that does nothing by itself: a test settles each request by hand, in the order it likes. */

import type {AnyActorRef, AnyEventObject} from 'xstate';

import type {Asked, Performer, PortName} from '../../machines/ports.ts';

/** A request that waits for its outcome. `path` is the ids of actors from below the root. */
export type OpenRequest = Asked & {readonly path: string};

/** Messages between the charts and the performer, in order. */
export type Logged =
  | (OpenRequest & {readonly type: 'requested'})
  | (OpenRequest & {readonly type: 'settled'; readonly outcome: object})
  | {readonly type: 'withdrawn'; readonly path: string; readonly port: PortName}
  | {readonly type: 'fired'; readonly timer: string}
  | {readonly type: 'sent'; readonly event: AnyEventObject}
  | {readonly type: 'reported'; readonly path: string; readonly report: unknown};

/** The outcome of a request whose performer had a bug. */
export const crash = {crash: 'a bug in the performer'};

export interface HandPerformer {
  readonly performer: Performer;
  readonly log: Logged[];
  readonly open: () => readonly OpenRequest[];
  /** Delivers an outcome, or a {@link crash}. Throws when nothing at `path` waits for one. */
  readonly settle: (path: string, outcome: object) => void;
  /** Delivers an outcome as something that nobody need know of. */
  readonly settleSilently: (path: string, outcome: object) => void;
}

export function createHandPerformer(): HandPerformer {
  const waiting = new Map<AnyActorRef, OpenRequest>();
  const log: Logged[] = [];
  const take = (actor: AnyActorRef | undefined): OpenRequest => {
    const open = actor && waiting.get(actor);
    if (!actor || !open) throw new Error('no request is open there');
    waiting.delete(actor);
    return open;
  };
  return {
    log,
    performer: {
      request(asked, actor) {
        const open = {path: pathOf(actor), ...asked};
        waiting.set(actor, open);
        log.push({type: 'requested', ...open});
      },
      withdraw(actor) {
        const {path, port} = take(actor);
        log.push({type: 'withdrawn', path, port});
      },
      report(report, actor) {
        log.push({type: 'reported', path: pathOf(actor), report});
      },
    },
    open: () => [...waiting.values()],
    settle(path, outcome) {
      const actor = [...waiting.keys()].find((candidate) => waiting.get(candidate)?.path === path);
      const open = take(actor);
      log.push({type: 'settled', ...open, outcome});
      actor?.send(deliveryOf(outcome));
    },
    settleSilently(path, outcome) {
      const actor = [...waiting.keys()].find((candidate) => waiting.get(candidate)?.path === path);
      take(actor);
      actor?.send(deliveryOf(outcome));
    },
  };
}

function deliveryOf(outcome: object): AnyEventObject {
  if (outcome === crash) {
    return {type: 'effect.crashed', error: {code: 'internal', message: crash.crash}};
  }
  return {type: 'effect.settled', outcome: {at: 0, ms: 1, ...outcome}};
}

/** The ids of an actor and of its ancestors below the root actor of the system, joined by `/`. */
export function pathOf(actor: {
  readonly id: string;
  readonly _parent?: AnyActorRef | undefined;
}): string {
  const {_parent: parent} = actor;
  if (!parent) return '';
  const above = pathOf(parent);
  return above === '' ? actor.id : `${above}/${actor.id}`;
}
