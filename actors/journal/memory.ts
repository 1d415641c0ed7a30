/** A journal in memory: for tests, demonstrations and programs that need no resume. Gone with its process. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {
  type Closing,
  firstHead,
  link,
  requireInteractionId,
  requireSound,
  salvageChain,
  toDraft,
  type Draft,
  type Head,
  type Opening,
  type StoredEntry,
} from './chain.ts';
import type {
  Addition,
  Backup,
  Immediate,
  InteractionRow,
  Journal,
  Ownership,
  Salvaged,
} from './journal.ts';

interface Kept {
  readonly id: string;
  readonly stored: StoredEntry[];
  /** Not chained yet: hashes are for those who read, and most journals in memory are never read. */
  readonly unlinked: Draft[];
  readonly inbox: string[];
  readonly watchers: Set<() => void>;
  readonly children: Map<number, string>;
  readonly backups: Backup[];
  head: Head;
  opening: Opening | undefined;
  closing: Closing | undefined;
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
      take: (interaction) => find(interaction).inbox.splice(0).map(parseMessage),
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
    backups: {
      keep: (interaction, backups) =>
        void find(interaction).backups.push(...structuredClone(backups)),
      list: (interaction) => structuredClone(find(interaction).backups),
    },
    erase: (interaction) => forget(find(interaction)),
    close: () => {
      for (const {watchers} of interactions.values()) watchers.clear();
    },
  };
}

function append(batch: readonly Addition[], find: (id: string) => Kept): void {
  for (const draft of batch.map(toDraft)) keep(find(draft.interaction), draft);
}

function createKept(id: string): Kept {
  requireInteractionId(id);
  return {
    id,
    stored: [],
    unlinked: [],
    inbox: [],
    watchers: new Set(),
    children: new Map(),
    backups: [],
    head: firstHead(id),
    opening: undefined,
    closing: undefined,
    owner: undefined,
  };
}

function salvage(kept: Kept): Salvaged {
  const stored = linked(kept);
  return salvageChain(kept.id, stored, kept.head);
}

function linked(kept: Kept): readonly StoredEntry[] {
  for (const draft of kept.unlinked.splice(0)) {
    const {stored, head} = link(kept.head, draft);
    for (const entry of stored) kept.stored.push(entry);
    kept.head = head;
  }
  return kept.stored;
}

function keep(kept: Kept, draft: Draft): void {
  kept.unlinked.push(draft);
  kept.opening ??= draft.opening;
  if (!draft.closing) return;
  kept.closing = draft.closing;
  kept.inbox.length = 0;
  kept.children.clear();
}

/** But for who owns it, and who listens. */
function forget(kept: Kept): void {
  for (const list of [kept.stored, kept.unlinked, kept.inbox, kept.backups]) list.length = 0;
  kept.children.clear();
  kept.head = firstHead(kept.id);
  kept.opening = undefined;
  kept.closing = undefined;
}

function listInteractions(all: readonly Kept[]): InteractionRow[] {
  return all
    .toReversed()
    .flatMap((kept) => (kept.opening ? [rowOf(kept, kept.opening)] : []))
    .toSorted((a, b) => b.openedAt - a.openedAt);
}

function rowOf(kept: Kept, opening: Opening): InteractionRow {
  const {id, closing} = kept;
  const stored = linked(kept);
  const updatedAt = stored.at(-1)?.at ?? opening.openedAt;
  return {
    id,
    ...opening,
    updatedAt,
    entries: stored.length,
    status: closing?.status,
    answer: closing?.answer,
  };
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

function post({inbox, watchers, closing}: Kept, event: JsonObject): void {
  if (closing) return;
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

function parseMessage(text: string): Json {
  const message: Json = JSON.parse(text);
  return message;
}
