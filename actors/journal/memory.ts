/** A journal in memory: for tests, demonstrations and programs that need no resume. Gone with its process. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {
  closingStatus,
  describeOpening,
  firstHead,
  linkBatch,
  requireInteractionId,
  verifyChain,
  type Head,
  type LinkedAddition,
  type StoredEntry,
} from './chain.ts';
import type {Addition, Journal, Ownership, SessionRow} from './journal.ts';

interface Kept {
  readonly id: string;
  readonly stored: StoredEntry[];
  readonly inbox: string[];
  readonly watchers: Set<() => void>;
  readonly children: Map<number, string>;
  head: Head;
  opening: Pick<SessionRow, 'id' | 'form' | 'request' | 'workspace' | 'openedAt'> | undefined;
  status: string | undefined;
  owner: Ownership | undefined;
}

/** The same contract as a journal on disk, except that other processes can't see it. */
export function createMemoryJournal(): Journal {
  const interactions = new Map<string, Kept>();
  const find = (id: string): Kept => {
    let kept = interactions.get(id);
    if (!kept) {
      kept = createKept(id);
      interactions.set(id, kept);
    }
    return kept;
  };
  const appendMany = (batch: readonly Addition[]) => {
    const {linked, heads} = linkBatch(batch, (id) => find(id).head);
    for (const addition of linked) keep(find(addition.interaction), addition);
    for (const [id, head] of heads) find(id).head = head;
    return linked.map(({entries}) => entries);
  };
  return {
    appendMany,
    append: (interaction, bodies, at) => appendMany([{interaction, bodies, at}])[0] ?? [],
    read: (interaction) => verifyChain(interaction, find(interaction).stored),
    sessions: () => listSessions([...interactions.values()]),
    own: (interaction) => own(find(interaction)),
    post: (interaction, event) => post(find(interaction), event),
    take: (interaction) => find(interaction).inbox.splice(0).map(parseEvent),
    watch: (interaction, callback) => watch(find(interaction), callback),
    rememberChild: (interaction, processGroup, startedAt) => {
      find(interaction).children.set(processGroup, startedAt);
    },
    children: (interaction) =>
      Array.from(find(interaction).children, ([processGroup, startedAt]) => ({
        processGroup,
        startedAt,
      })),
    forgetChildren: (interaction) => find(interaction).children.clear(),
    close: () => {
      for (const {watchers} of interactions.values()) watchers.clear();
    },
  };
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

function keep(kept: Kept, {entries, stored}: LinkedAddition): void {
  for (const entry of stored) kept.stored.push(entry);
  for (const entry of entries) {
    if (entry.type === 'opened') {
      kept.opening ??= {...describeOpening(kept.id, entry), openedAt: entry.at};
    }
    if (entry.type === 'closed') kept.status = closingStatus(entry);
  }
}

function listSessions(all: readonly Kept[]): SessionRow[] {
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
