/** A journal in memory: for tests, demonstrations and programs that need no resume. Gone with its process. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {
  closingStatus,
  describeOpening,
  firstHead,
  linkBatch,
  requireInteractionId,
  requireSound,
  salvageChain,
  type Head,
  type LinkedAddition,
  type StoredEntry,
} from './chain.ts';
import type {Addition, Immediate, InteractionRow, Journal, Ownership, Salvaged} from './journal.ts';

interface Kept {
  readonly id: string;
  readonly stored: StoredEntry[];
  readonly inbox: string[];
  readonly watchers: Set<() => void>;
  readonly children: Map<number, string>;
  head: Head;
  opening: Pick<InteractionRow, 'id' | 'form' | 'request' | 'workspace' | 'openedAt'> | undefined;
  status: string | undefined;
  owner: Ownership | undefined;
}

/** The same contract as a journal on disk, except that other processes can't see it, and that all is done at once. */
export function createMemoryJournal(): Immediate<Journal> {
  const interactions = new Map<string, Kept>();
  const find = (id: string): Kept => {
    let kept = interactions.get(id);
    if (!kept) {
      kept = createKept(id);
      interactions.set(id, kept);
    }
    return kept;
  };
  return {
    log: {
      append: (batch) => append(batch, find),
      read: (interaction) => requireSound(salvage(find(interaction))),
      salvage: (interaction) => salvage(find(interaction)),
      list: () => listInteractions([...interactions.values()]),
    },
    owners: {
      own: (interaction) => own(find(interaction)),
      tenureOf: (interaction) => (find(interaction).owner ? 'owned' : 'free'),
    },
    inbox: {
      post: (interaction, event) => post(find(interaction), event),
      take: (interaction) => find(interaction).inbox.splice(0).map(parseEvent),
      watch: (interaction, callback) => watch(find(interaction), callback),
    },
    children: {
      remember: (interaction, processGroup, startedAt) => {
        find(interaction).children.set(processGroup, startedAt);
      },
      list: (interaction) =>
        Array.from(find(interaction).children, ([processGroup, startedAt]) => ({
          processGroup,
          startedAt,
        })),
      forget: (interaction) => find(interaction).children.clear(),
    },
    close: () => {
      for (const {watchers} of interactions.values()) watchers.clear();
    },
  };
}

function append(batch: readonly Addition[], find: (id: string) => Kept): void {
  const {linked, heads} = linkBatch(batch, (id) => find(id).head);
  for (const addition of linked) keep(find(addition.interaction), addition);
  for (const [id, head] of heads) find(id).head = head;
}

function createKept(id: string): Kept {
  requireInteractionId(id);
  return {
    id,
    stored: [],
    inbox: [],
    watchers: new Set(),
    children: new Map(),
    head: firstHead(id),
    opening: undefined,
    status: undefined,
    owner: undefined,
  };
}

function salvage({id, stored}: Kept): Salvaged {
  return salvageChain(id, stored);
}

function keep(kept: Kept, {bodies, at, stored}: LinkedAddition): void {
  for (const entry of stored) kept.stored.push(entry);
  for (const body of bodies) {
    if (body.type === 'opened') {
      kept.opening ??= {...describeOpening(kept.id, body), openedAt: at};
    }
    if (body.type === 'closed') kept.status = closingStatus(body);
  }
}

function listInteractions(all: readonly Kept[]): InteractionRow[] {
  return all
    .toReversed()
    .flatMap(({opening, stored, status}) =>
      opening
        ? [
            {
              ...opening,
              updatedAt: stored.at(-1)?.at ?? opening.openedAt,
              entries: stored.length,
              status,
            },
          ]
        : [],
    )
    .toSorted((a, b) => b.openedAt - a.openedAt);
}

function own(kept: Kept): Ownership {
  if (kept.owner) {
    throw new AppError('busy', `interaction ${kept.id} is already being run by this process`);
  }
  const ownership: Ownership = {
    release: () => {
      if (kept.owner === ownership) kept.owner = undefined;
    },
  };
  kept.owner = ownership;
  return ownership;
}

function post({inbox, watchers}: Kept, event: JsonObject): void {
  inbox.push(JSON.stringify(event));
  for (const notify of watchers) notify();
}

/** Calls back in a microtask: whoever posts never runs the watcher's code on its own stack. */
function watch({inbox, watchers}: Kept, callback: () => void): () => void {
  const notify = () =>
    queueMicrotask(() => {
      if (watchers.has(notify)) callback();
    });
  watchers.add(notify);
  if (inbox.length > 0) notify();
  return () => {
    watchers.delete(notify);
  };
}

function parseEvent(text: string): JsonObject {
  const event: JsonObject = JSON.parse(text);
  return event;
}
