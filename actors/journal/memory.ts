/** A journal in memory, for tests, demonstrations and programs that need no resume. It is lost when its process ends. */

import type Zlib from 'node:zlib';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {
  type Closing,
  firstHead,
  type Head,
  link,
  requireInteractionId,
  requireSound,
  salvageChain,
  toDraft,
  type Draft,
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
  Reaction,
  Salvaged,
} from './journal.ts';
import type {Sign} from './signing/signature.ts';

/** Bodies that were written together. */
type Written = Pick<Draft, 'at' | 'bodies'>;

interface Kept {
  readonly id: string;
  /** In order. They are chained only when they are read: most journals in memory are never read. */
  readonly written: Written[];
  /** The compressed entries of an interaction that has ended; they precede `written`. */
  compressed: Uint8Array | undefined;
  entries: number;
  /** Of the bodies. */
  bytes: number;
  updatedAt: number;
  readonly inbox: string[];
  readonly watchers: Set<() => void>;
  readonly children: Map<number, string>;
  readonly backups: Backup[];
  readonly reactions: Reaction[];
  opening: Opening | undefined;
  closing: Closing | undefined;
  owner: Ownership | undefined;
}

export interface MemoryOptions {
  /** Signs the ends of runs and the decisions of persons. Absent: entries are not signed. */
  readonly sign?: Sign;
}

/** Has the contract of a journal on disk, except that other processes can't see it and that all operations are synchronous. */
export function createMemoryJournal({sign}: MemoryOptions = {}): Immediate<Journal> {
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
      append: (batch) => append(batch, find, sign),
      read: (interaction) => requireSound(salvage(find(interaction))),
      salvage: (interaction) => salvage(find(interaction)),
      lengthOf: (interaction) => find(interaction).entries,
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
      sizes: () => sizesOf([...interactions.values()]),
    },
    reactions: {
      add: (interaction, reaction) => react(find(interaction), reaction),
      list: (wanted) =>
        [...(wanted === undefined ? interactions.values() : [find(wanted)])].flatMap(
          ({id: interaction, reactions}) =>
            reactions.map((each) => Object.assign({interaction}, each)),
        ),
    },
    erase: (interaction) => forget(find(interaction)),
    close: () => {
      for (const {watchers} of interactions.values()) watchers.clear();
    },
  };
}

function append(
  batch: readonly Addition[],
  find: (id: string) => Kept,
  sign: Sign | undefined,
): void {
  for (const draft of batch.map(toDraft)) {
    const kept = find(draft.interaction);
    keep(kept, sign ? signed(kept, draft, sign) : draft);
  }
}

/** The draft with its signatures. */
function signed(kept: Kept, draft: Draft, sign: Sign): Draft {
  if (draft.toSign.size === 0) return draft;
  const {stored} = link(chained(kept).head, draft, {...draft, sign});
  return {...draft, bodies: stored.map(({body}) => body)};
}

function createKept(id: string): Kept {
  requireInteractionId(id);
  return {
    id,
    written: [],
    compressed: undefined,
    entries: 0,
    bytes: 0,
    updatedAt: 0,
    inbox: [],
    watchers: new Set(),
    children: new Map(),
    backups: [],
    reactions: [],
    opening: undefined,
    closing: undefined,
    owner: undefined,
  };
}

function salvage(kept: Kept): Salvaged {
  const {stored, head} = chained(kept);
  return salvageChain(kept.id, stored, head);
}

function chained(kept: Kept): {readonly stored: readonly StoredEntry[]; readonly head: Head} {
  const stored: StoredEntry[] = [];
  let head = firstHead(kept.id);
  for (const written of allOf(kept)) {
    const linked = link(head, written);
    for (const entry of linked.stored) stored.push(entry);
    head = linked.head;
  }
  return {stored, head};
}

function allOf({compressed, written}: Kept): readonly Written[] {
  return compressed ? [...decompress(compressed), ...written] : written;
}

function keep(kept: Kept, {at, bodies, opening, closing, movedTo}: Draft): void {
  kept.written.push({at, bodies});
  kept.entries += bodies.length;
  for (const body of bodies) kept.bytes += Buffer.byteLength(body);
  kept.updatedAt = at;
  kept.opening ??= opening;
  if (kept.opening && movedTo !== undefined) kept.opening = {...kept.opening, workspace: movedTo};
  if (!closing) return;
  kept.closing = closing;
  const compressed = compress(allOf(kept));
  if (compressed) {
    kept.compressed = compressed;
    kept.written.length = 0;
  }
  kept.inbox.length = 0;
  kept.children.clear();
}

/** Removes everything except the owner and the watchers. */
function forget(kept: Kept): void {
  const {written, inbox, backups, reactions} = kept;
  for (const list of [written, inbox, backups, reactions]) list.length = 0;
  kept.compressed = undefined;
  kept.entries = 0;
  kept.bytes = 0;
  kept.children.clear();
  kept.opening = undefined;
  kept.closing = undefined;
}

/** In place of an earlier reaction to the same subject: the result, or the changes. */
function react({entries, reactions}: Kept, reaction: Reaction): void {
  if (entries === 0) return;
  const isUndo = reaction.kind === 'undone';
  const earlier = reactions.findIndex(({kind}) => (kind === 'undone') === isUndo);
  if (earlier >= 0) reactions.splice(earlier, 1);
  reactions.push({...reaction});
}

function sizesOf(all: readonly Kept[]): ReadonlyMap<string, number> {
  return new Map(
    all.flatMap(({id, backups}) => {
      const contents = backups.flatMap(({before}) => before?.content ?? []);
      const bytes = contents.reduce(
        (sum, each) => sum + (typeof each === 'string' ? 0 : each.length),
        0,
      );
      return bytes === 0 ? [] : [[id, bytes] as const];
    }),
  );
}

function listInteractions(all: readonly Kept[]): InteractionRow[] {
  return all
    .toReversed()
    .flatMap((kept) => (kept.opening ? [rowOf(kept, kept.opening)] : []))
    .toSorted((a, b) => b.openedAt - a.openedAt);
}

function rowOf(kept: Kept, opening: Opening): InteractionRow {
  const {id, closing, entries, updatedAt} = kept;
  return {
    id,
    ...opening,
    updatedAt,
    entries,
    status: closing?.status,
    answer: closing?.answer,
    bytes: kept.bytes,
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

/** Calls back in a microtask: `post` never runs the code of a watcher on its own stack. */
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

/** UTF-16 units: compressing more would block the event loop for too long. */
const maxUnits = 16_000_000;

/**
 * The entries of an ended interaction, outside of the heap, because most are never read again. Undefined when they are too
 * large.
 */
export function compress(all: readonly Written[]): Uint8Array | undefined {
  // A body is JSON, which has no line feed.
  const lines = all.flatMap(({at, bodies}) => bodies.map((body) => `${at} ${body}`));
  if (lines.reduce((sum, {length}) => sum + length, 0) > maxUnits) return undefined;
  // Copied: what zlib returns is a view of a buffer several times as large.
  return new Uint8Array(zlib().zstdCompressSync(lines.join('\n')));
}

/** Returns each body separately. */
export function decompress(compressed: Uint8Array): Written[] {
  const lines = zlib().zstdDecompressSync(compressed).toString('utf8').split('\n');
  return lines.map((line) => {
    const end = line.indexOf(' ');
    return {at: Number(line.slice(0, end)), bodies: [line.slice(end + 1)]};
  });
}

/** Loaded when the first interaction ends, so that a program starts sooner. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
