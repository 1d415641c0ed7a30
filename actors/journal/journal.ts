/**
 * The contract of a journal, in small parts, so that each can be stored where it fits best. An `Awaitable` operation returns
 * its result at once if the store can, as SQLite on a local disk, and otherwise a promise, as for a store on other machines;
 * errors are thrown or rejected accordingly. Every `interaction` is 1 to 64 letters, digits, `-` or `_`; anything else is
 * AppError `usage`.
 */

import type {AppError} from '../../machines/domain/app-error.ts';
import type {Json, JsonObject} from '../../machines/domain/json.ts';
import type {Missing} from '../../tools/run/snapshot/entry.ts';
import type {WorkspaceLocks} from '../performers/workspace-locks.ts';
import type {Envelope, Sign} from './signing-key.ts';
import type {NewSubmission, SubmissionRecords} from './submissions.ts';

export type Awaitable<T> = T | Promise<T>;

/** The content of an entry, before the journal gives it a position. Bodies are plain JSON. */
export type EntryBody =
  /**
   * On the first body of an addition that is written at once: `digest`, of all earlier steps of the charts; `ran`, how long
   * the tree has been at work until then, ms.
   */
  (
    | {
        readonly type: 'opened';
        readonly input: JsonObject;
        readonly version: string;
        /** The entry of another run after which this one continues: the entries up to it were copied. */
        readonly origin?: Origin;
      }
    | {
        readonly type: 'requested';
        readonly key: string;
        readonly request: string;
        /** The effect had not begun when the run was suspended: its earlier `requested` entry no longer counts. */
        readonly isTakenBack?: true;
        /** Written again: the original entry is lost, and with it the outcome. */
        readonly isLost?: true;
        /** Of a tool call, for audit. Absent in entries of earlier versions. */
        readonly tool?: string;
        /** SHA-256 of the tool and its arguments. */
        readonly callHash?: string;
        /** The `callHash` that was approved, for a high-risk call. */
        readonly approval?: string;
      }
    | {
        readonly type: 'settled';
        readonly key: string;
        /** Digest of the request. */
        readonly request: string;
        readonly outcome: Json;
        /** How long the effect was at work, ms. */
        readonly ms: number;
      }
    | {readonly type: 'received'; readonly event: JsonObject}
    | {readonly type: 'fired'; readonly timer: number}
    /** A decision of the charts, or of the program that runs them: for audit, not replayed. */
    | {readonly type: 'noted'; readonly note: JsonObject; readonly by?: 'host'}
    /** `figures`: see `Meter`. Absent: the run was ended without a replay, or by an earlier version. */
    | {readonly type: 'closed'; readonly result: JsonObject; readonly figures?: JsonObject}
  ) & {
    readonly digest?: string;
    readonly ran?: number;
    /** Of the end, and of decisions of a person, in a journal that signs. The last member; the hash covers it. */
    readonly signature?: Envelope;
  };

/** The entry that ends an interaction. */
export type Closed = Extract<EntryBody, {readonly type: 'closed'}>;

export type Entry = EntryBody & {
  /** Counts up from 0 within an interaction. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** SHA-256 over the hash of the entry before and this entry, hex. */
  readonly hash: string;
};

/** The entry of another run from which a run was forked. */
export interface Origin {
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
  /** When it was forked, epoch ms. */
  readonly at: number;
}

/** The entries that one interaction adds to a shared transaction. */
export interface Addition {
  readonly interaction: string;
  readonly bodies: readonly EntryBody[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** The position of the first body. Absent: after the last entry. */
  readonly seq?: number;
  /** The messages of the inbox that it records: they are removed in its transaction. */
  readonly taken?: readonly number[];
  /** Of the addition that opens it: the submission is recorded in its transaction. AppError `usage` when its token is in use. */
  readonly submission?: NewSubmission;
}

/** A top-level interaction as listed. */
export interface InteractionRow {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  readonly workspace: string;
  /** The host with the folder that it works in. Absent: any host can run it, or one machine alone has the journal. */
  readonly host?: string;
  /** The name of the host, for people, if it is enrolled. */
  readonly machine?: string;
  /** It needs no person: a worker of its host, or of any, continues it. */
  readonly isForWorkers?: true;
  readonly openedAt: number;
  readonly updatedAt: number;
  readonly entries: number;
  /** The session that it belongs to: its own id unless it was opened in another session. */
  readonly session: string;
  /** The status of the closing result, or undefined while the interaction is open. */
  readonly status: string | undefined;
  /** The outcome in words: the answer of the closing result, else its summary. Undefined while it is open. */
  readonly answer: string | undefined;
  /** Size of its entries as stored. */
  readonly bytes: number;
  /** An earlier version has taken it from another journal: it can only be read. */
  readonly imported?: true;
}

/** Every member must hold; without members, all interactions are meant. */
export type RowQuery = Partial<Pick<InteractionRow, 'id' | 'session' | 'workspace'>>;

/** An effect that was about to be performed, as its `requested` entry records it. */
export type Begun = Pick<
  Extract<Entry, {readonly type: 'requested'}>,
  'type' | 'seq' | 'key' | 'request' | 'isTakenBack'
>;

export interface Salvaged {
  /** Sound up to the damage. Appended entries follow the last entry that was ever written. */
  readonly entries: readonly Entry[];
  /** The AppError `journal_corrupt` that `read` throws. */
  readonly damage: AppError | undefined;
  /** The entries are sound, and others after them are missing. */
  readonly isEndMissing?: true;
  /**
   * Where only the end is missing: the effects that had begun there. Once they are appended again, as `isLost`, the journal is
   * sound. Absent: the journal is sound, or the run can't continue.
   */
  readonly lost?: readonly Begun[];
  /** As in {@link InteractionRow}. */
  readonly imported?: true;
}

/** The largest number of entries that one reading of {@link Log.after} returns. */
export const readAtOnce = 1_000;

/** Append-only entries of root interactions, chained by hash. */
export interface Log {
  /**
   * Group commit: writes all additions in one transaction, durable when this returns or resolves. The batch is copied before
   * it returns; batches are kept in the order of the calls, also while one waits. A body that is not JSON throws TypeError.
   * An interaction that its owner has read, or that is new, continues where it was read: an entry that another process has
   * written since makes this fail. An addition with a position is idempotent: where exactly its entries are already, it adds
   * nothing and succeeds, so that it can be repeated when its outcome is unknown; at a position that is not the end it is `busy`. A `closed` ends the interaction and deletes the messages kept for it.
   * AppError `io` when the store can't take the additions, `busy` when another process has written to one of the
   * interactions meanwhile: nothing of the transaction is kept then.
   */
  readonly append: (batch: readonly Addition[]) => Awaitable<void>;
  /** All entries in order; none for an unknown interaction. AppError `journal_corrupt` when the chain is broken. */
  readonly read: (interaction: string) => Awaitable<readonly Entry[]>;
  /**
   * The entries after one that was read, in order: at most {@link readAtOnce}, none after the last one. AppError `journal_corrupt`
   * when they do not follow it.
   */
  readonly after: (
    interaction: string,
    last: Pick<Entry, 'seq' | 'hash'>,
  ) => Awaitable<readonly Entry[]>;
  /** The sound entries of an interaction, damaged or not: to show it, or to close it without a replay. */
  readonly salvage: (interaction: string) => Awaitable<Salvaged>;
  /** The number of entries, without reading them. 0 for an unknown interaction. */
  readonly lengthOf: (interaction: string) => Awaitable<number>;
  /**
   * The entry that ended an interaction, without the others: the chain is not checked. Undefined while it is open, for an unknown
   * interaction, and where its last entry is not valid.
   */
  readonly closing: (interaction: string) => Awaitable<Closed | undefined>;
  /**
   * The log for the appends of this interaction, which don't wait for those of others that have another one. Absent: there is one
   * log for all.
   */
  readonly lineFor?: (interaction: string) => Log;
  /** The interactions that were opened, the newest first. */
  readonly list: (of?: RowQuery) => Awaitable<readonly InteractionRow[]>;
}

/** The right to write one interaction. The owner loses it when its process dies. */
export interface Ownership {
  /**
   * Aborted, with an AppError `busy` or `io`, when the store finds that another process has taken over the interaction, or may.
   * The owner then stops everything in flight.
   */
  readonly lost: AbortSignal;
  /**
   * False once the ownership has run out by the clock of this machine, also before `lost` is aborted: a process that was stopped
   * performs nothing before it knows. Absent: it can't run out.
   */
  readonly isHeld?: () => boolean;
  /** Never fails. */
  readonly release: () => Awaitable<void>;
}

/** `abandoned`: its last owner died without releasing it. */
export type Tenure = 'owned' | 'abandoned' | 'free';

export interface Owners {
  /**
   * AppError `busy` when another process, or another holder in this one, owns the interaction. If it has to wait for the store
   * and the signal is aborted meanwhile, it may take nothing and reject with the reason of the signal.
   */
  readonly own: (interaction: string, signal?: AbortSignal) => Awaitable<Ownership>;
  /**
   * Takes the ownership of open interactions that nobody owns and that need no person, the oldest first; `own` returns it. Absent:
   * another process does not leave work for this one.
   */
  readonly claim?: (wanted: Claim) => Awaitable<readonly string[]>;
  /** Takes no ownership: the answer may be out of date when it arrives. */
  readonly tenureOf: (interaction: string) => Awaitable<Tenure>;
}

/** `host`: interactions that work in a folder of another are left. `workspace`: so are those of another folder. */
export interface Claim {
  readonly host: string;
  readonly workspace?: string | undefined;
  readonly most: number;
  /** These are left, too. */
  readonly except?: readonly string[];
}

/** A message of an inbox. `id`: greater than that of every earlier message. */
export interface InboxMessage {
  readonly id: number;
  readonly event: Json;
}

/** Messages for the owner of an interaction, from any process. */
export interface Inbox {
  /** A message for an interaction that has ended is dropped. When its outcome is unknown, it may be left twice. */
  readonly post: (interaction: string, event: JsonObject) => Awaitable<void>;
  /**
   * The messages left for an interaction, oldest first. They stay until an addition records them, or they are removed. Any
   * program that can write to the store can leave anything; a message that is not JSON is returned as its text.
   */
  readonly read: (interaction: string) => Awaitable<readonly InboxMessage[]>;
  /** Removes messages that no entry records. */
  readonly remove: (interaction: string, ids: readonly number[]) => Awaitable<void>;
  /**
   * Calls back within 250 ms after any process has left messages for an interaction, also before this call; at once for
   * messages of this journal, but never on the stack of `post`. Does not keep the process alive. Returns a function that
   * stops it.
   */
  readonly watch: (interaction: string, callback: () => void) => () => void;
}

/** A process group. The start time of its leader distinguishes it from a later group with the same number. */
export interface ChildGroup {
  readonly processGroup: number;
  readonly startedAt: string;
}

/** Child processes of an interaction, so that a process that takes it over can end them. */
export interface Children {
  readonly remember: (
    interaction: string,
    processGroup: number,
    startedAt: string,
  ) => Awaitable<void>;
  /** In the order in which they were remembered. */
  readonly list: (interaction: string) => Awaitable<readonly ChildGroup[]>;
  readonly forget: (interaction: string) => Awaitable<void>;
}

/** The effects of an interaction that have begun and must not happen twice, and if it has ended. */
export interface Testimony {
  readonly begun: readonly Begun[];
  readonly hasEnded: boolean;
}

/** Testifies outside of a journal to what the journal may lose with its end. */
export interface Witness {
  /**
   * Call this when the entries are durable. A line that can't be written is left out. The line of the end does not wait for
   * the disk: without it, the file still lists every effect that has begun.
   */
  readonly testify: (interaction: string, testimony: Testimony) => void;
  /** Call this before the entries are read: they may grow meanwhile. */
  readonly recall: (interaction: string) => Testimony;
  /** Call this when the journal can no longer lose the end of the interaction, or when that is erased. */
  readonly forget: (interaction: string) => void;
  /** All interactions that have a file without a new line for `restMs`. */
  readonly interactions: (restMs?: number) => readonly string[];
}

/** One machine with its own data: what a run leaves on it, which no other machine can use. */
export interface Host {
  /** Names the machine in a journal that several share. */
  readonly id: string;
  readonly children: Children;
  readonly locks: WorkspaceLocks;
  /** Of what it has begun for a journal that several share. Absent: it is lost when the process ends. */
  readonly witness?: Witness;
  /** With the snapshots of workspaces. Absent: they are in memory. */
  readonly snapshotFolder?: string;
  /** With the key of the machine. Absent: it has none. */
  readonly sign?: Sign | undefined;
}

/**
 * A file, link or folder as it was before a run changed it. Hashes are SHA-256, hex, or the other marks of a state
 * that a `Replacement` of tools has; absent: there was, or will be, nothing.
 */
export interface Backup {
  /** Relative to the workspace. */
  readonly path: string;
  /** The key of the effect that changed it. Absent: unknown, as in backups of earlier versions. */
  readonly effect?: string;
  readonly before?: {
    readonly hash: string;
    /** Permission bits, with the type of `st_mode` where it may not be a file. */
    readonly mode: number;
    /** Its content, the target of a link, or why it is not kept. `old`: deleted to make room for newer runs. */
    readonly content: Uint8Array | Missing | 'old';
  };
  readonly after?: string;
}

/** Previous contents of files that interactions changed, so that changes can be undone, also after their end. */
export interface Backups {
  /** Durable when this returns or resolves. AppError `io` when the store can't keep it. */
  readonly keep: (interaction: string, backups: readonly Backup[]) => Awaitable<void>;
  /** In the order in which they were kept. */
  readonly list: (interaction: string) => Awaitable<readonly Backup[]>;
  /** Bytes of the contents, by interaction. */
  readonly sizes: () => Awaitable<ReadonlyMap<string, number>>;
}

/** `up` and `down` rate the result, `undone`: its file changes were taken back. */
export interface Reaction {
  readonly kind: 'up' | 'down' | 'undone';
  /** Epoch ms. */
  readonly at: number;
  /** The person's own words. */
  readonly words?: string;
}

/** Reactions of persons to interactions. The chain does not cover them. Erased with the interaction, and never exported. */
export interface Reactions {
  /**
   * Durable when this returns or resolves. A rating replaces the one before, `undone` the one before. Ignores unknown interactions.
   * AppError `io` when the store can't take it.
   */
  readonly add: (interaction: string, reaction: Reaction) => Awaitable<void>;
  /** Of all interactions, or of one. */
  readonly list: (
    interaction?: string,
  ) => Awaitable<readonly (Reaction & {readonly interaction: string})[]>;
}

/** Sizes of the files of a journal before and after they were reduced, in bytes. */
export interface Shrunk {
  readonly before: number;
  readonly after: number;
}

/** A machine that its owner has enrolled in a journal that several share. */
export interface EnrolledHost {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The public key with which it signs: SPKI, as PEM. */
  readonly key: string;
}

/** The machines that count as one installation: each continues and verifies what the others have recorded. */
export interface Hosts {
  /** Enrolls the first machine. Does nothing, and returns false, where one is enrolled already. */
  readonly found: (host: EnrolledHost) => Awaitable<boolean>;
  /** Replaces the name of a machine that is enrolled already, and never its key. */
  readonly enroll: (host: EnrolledHost) => Awaitable<void>;
  readonly list: () => Awaitable<readonly EnrolledHost[]>;
}

/** The pace at which processes that share a journal call a provider: as well as they can, without a guarantee. */
export interface Rates {
  /** Reserves the next call, `everyMs` after the one reserved before it. Returns how long to wait for it, ms. */
  readonly reserve: (provider: string, everyMs: number) => Awaitable<number>;
}

/** The server of a journal that several processes share, its owners of runs, and the runs that wait. */
export interface Sharing {
  /** Its name and version. */
  readonly server: string;
  readonly answerMs: number;
  /** The processes that are alive. */
  readonly owners: readonly {
    readonly host: string;
    readonly pid: number;
    readonly runs: number;
  }[];
  /** Open runs that a worker may claim. `oldestMs`: how long the oldest of them has waited. */
  readonly unclaimed: {readonly runs: number; readonly oldestMs: number};
}

export interface Journal {
  readonly log: Log;
  readonly owners: Owners;
  readonly inbox: Inbox;
  /** The machine that alone has this journal. Absent: several share it, and each program names its own. */
  readonly host?: Host;
  /** Absent: changes by its runs can't be undone. */
  readonly backups?: Backups;
  /** Absent: a server can't serve forms with it. */
  readonly submissions?: SubmissionRecords;
  /** Absent: its runs can't be rated. */
  readonly reactions?: Reactions;
  /**
   * For the owner, or when there is none: all that is kept of the interaction is removed when this returns or resolves,
   * also from the bytes of the files of the journal. Does nothing for an unknown interaction. AppError `io` when something may be left, for example while another process keeps reading: call it again then.
   */
  readonly erase: (interaction: string) => Awaitable<void>;
  /**
   * Gives the space of erased interactions back to the disk. AppError `io` when that is not possible now, for example on a full
   * disk; the journal is unchanged then. Absent: an erased interaction leaves no space behind.
   */
  readonly shrink?: () => Awaitable<Shrunk>;
  /** Absent: one machine alone has the journal. */
  readonly hosts?: Hosts;
  /** Absent: each process has its own pace. */
  readonly rates?: Rates;
  /** Absent: one machine alone has the journal. Rejects with AppError `io`. */
  readonly sharing?: () => Awaitable<Sharing>;
  /** Releases every interaction that it owns. No other operation may follow. Closing it again does nothing. */
  readonly close: () => Awaitable<void>;
}

/** A journal that one machine alone has. */
export type LocalJournal = Journal & {readonly host: Host};
