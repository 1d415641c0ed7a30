/** The journal in memory, with immediate and with late answers: a journal on another machine can meet the contract. */

import {setImmediate} from 'node:timers/promises';

import type {Awaitable, Journal} from '../../../actors/journal/journal.ts';
import {createMemoryJournal, type MemoryOptions} from '../../../actors/journal/memory.ts';
import {describeJournal} from './conformance.ts';

describeJournal('the memory journal', createMemoryJournal);
describeJournal('a journal that always answers later', createLateJournal);

/** Copies its arguments, and does everything in a later turn of the event loop. */
function createLateJournal(options?: MemoryOptions): Journal {
  const {log, owners, inbox, children, backups, erase, close} = createMemoryJournal(options);
  return {
    log: {
      append: later(log.append),
      read: later(log.read),
      salvage: later(log.salvage),
      lengthOf: later(log.lengthOf),
      list: later(log.list),
    },
    owners: {
      own: later((interaction) => {
        const {release} = owners.own(interaction);
        return {release: later(release)};
      }),
      tenureOf: later(owners.tenureOf),
    },
    inbox: {post: later(inbox.post), take: later(inbox.take), watch: inbox.watch},
    children: {
      remember: later(children.remember),
      list: later(children.list),
      forget: later(children.forget),
    },
    ...(backups
      ? {
          backups: {
            keep: later(backups.keep),
            list: later(backups.list),
            sizes: later(backups.sizes),
          },
        }
      : {}),
    erase: later(erase),
    close: later(close),
  };
}

function later<Args extends unknown[], Result>(
  operation: (...args: Args) => Awaitable<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const copies = structuredClone(args);
    await setImmediate();
    return await operation(...copies);
  };
}
