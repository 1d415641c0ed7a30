/**
 * The lock for the high-risk calls of a tree: one call holds it at a time, and meanwhile calls of other trees can't change
 * the workspace. It also counts the rejected actions in a row.
 *
 * free → claiming → held → unlocking → free; or claiming again, for the next
 *
 * Between two holders the workspace is unlocked, so that other trees can lock it, and no holder is admitted while a part of
 * the tree is being stopped.
 *
 * A holder is the path of an actor that watches the lock: see `hold`.
 */

import {type AnyActorRef, assign, fromCallback, setup} from 'xstate';

import {outputIn} from '../actor-end.ts';
import {toFailure} from '../domain/failure.ts';
import {report} from '../facts/record.ts';
import {lockWorkspace, type PortOutcome, unlockWorkspace} from '../ports.ts';
import {parentOf, pathOf} from './path.ts';

export interface LockContext {
  readonly workspace: string;
  readonly holder: string;
  readonly queue: readonly string[];
  /** Rejected actions since a call last held the lock. */
  readonly rejections: number;
}

export type LockEvent =
  | {readonly type: 'lock.acquire'; readonly holder: string}
  | {readonly type: 'lock.release'; readonly holder: string}
  | {readonly type: 'action.rejected'};

/** The `systemId` of the lock of a tree. */
export const lockId = 'lock';

export const lockMachine = setup({
  types: {} as {context: LockContext; events: LockEvent; input: {readonly workspace: string}},
  actors: {lockWorkspace, unlockWorkspace},
  actions: {
    queue: assign(({context, event}) => ({queue: [...context.queue, holderIn(event)]})),
    dequeue: assign(({context, event}) => ({
      queue: context.queue.filter((holder) => holder !== holderIn(event)),
    })),
    admitNext: assign(({context}) => ({
      holder: context.queue[0] ?? '',
      queue: context.queue.slice(1),
    })),
    vacate: assign({holder: ''}),
    countRejection: assign(({context}) => ({rejections: context.rejections + 1})),
    endRow: assign({rejections: 0}),
    warnUnlocked: report((_, why: string) => ({
      type: 'warning',
      message: unlockedWarning(why),
    })),
  },
  guards: {
    isLocked: (_, {locked}: PortOutcome<'lockWorkspace'>) => locked,
    isUnwanted: ({context}) => context.queue.length === 0,
    isHolder: ({context, event}) => context.holder === holderIn(event),
  },
}).createMachine({
  id: 'lock',
  context: ({input}) => ({...input, holder: '', queue: [], rejections: 0}),
  initial: 'free',
  on: {
    'lock.acquire': {actions: 'queue'},
    'lock.release': {actions: 'dequeue'},
    'action.rejected': {actions: 'countRejection'},
  },
  states: {
    free: {on: {'lock.acquire': {target: 'claiming', actions: 'queue'}}},
    claiming: {
      always: {guard: 'isUnwanted', target: 'unlocking'},
      invoke: {
        src: 'lockWorkspace',
        id: 'workspace',
        input: ({context}) => ({workspace: context.workspace}),
        onDone: [
          {
            guard: {type: 'isLocked', params: outputIn},
            target: 'held',
            actions: 'admitNext',
          },
          {
            target: 'held',
            actions: [
              {type: 'warnUnlocked', params: ({event}) => whyNot(event.output)},
              'admitNext',
            ],
          },
        ],
        onError: {
          target: 'held',
          actions: [
            {type: 'warnUnlocked', params: ({event}) => toFailure(event.error).message},
            'admitNext',
          ],
        },
      },
    },
    held: {
      on: {
        'lock.release': {
          guard: 'isHolder',
          target: 'unlocking',
          actions: ['endRow', 'vacate'],
        },
      },
    },
    unlocking: {
      invoke: {
        src: 'unlockWorkspace',
        id: 'workspace',
        input: ({context}) => ({workspace: context.workspace}),
        onDone: [{guard: 'isUnwanted', target: 'free'}, {target: 'claiming'}],
        onError: [{guard: 'isUnwanted', target: 'free'}, {target: 'claiming'}],
      },
    },
  },
});

/** A call continues without an unavailable lock, but with this warning. */
export function unlockedWarning(why: string): string {
  return `the workspace is not locked, so other runs may change it at the same time: ${why}`;
}

function holderIn(event: LockEvent): string {
  return 'holder' in event ? event.holder : '';
}

function whyNot(outcome: PortOutcome<'lockWorkspace'>): string {
  return outcome.locked ? '' : outcome.why;
}

/**
 * Queues for the lock when it is invoked, sends its parent `lock.granted`, and releases the lock when it is stopped, or when
 * its parent crashes: the parent holds the lock while it is in the invoking state.
 */
export const hold = fromCallback(({sendBack, self, system}) => {
  const lock: AnyActorRef = system.get(lockId);
  const holder = pathOf(self);
  const release = (): void => lock.send({type: 'lock.release', holder} satisfies LockEvent);
  const grant = lock.subscribe({
    next: ({context}: {context: LockContext}) => {
      if (context.holder !== holder) return;
      grant.unsubscribe();
      sendBack({type: 'lock.granted'});
    },
    // A lock that crashes ends the tree.
    error: () => {},
  });
  const crash = parentOf(self)?.subscribe({error: release});
  lock.send({type: 'lock.acquire', holder} satisfies LockEvent);
  return () => {
    grant.unsubscribe();
    crash?.unsubscribe();
    release();
  };
});

/** The current number of rejected actions in a row, in the tree of this system. */
export function rejectionsIn(system: AnyActorRef['system']): number {
  const lock: AnyActorRef = system.get(lockId);
  const {context}: {context: LockContext} = lock.getSnapshot();
  return context.rejections;
}

/** The lock of the tree of this system. */
export function lockOf(system: AnyActorRef['system']): AnyActorRef {
  return system.get(lockId);
}
