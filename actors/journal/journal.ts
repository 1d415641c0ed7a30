/**
 * The contract of a journal: a few small ones, so that each can live where it fits best. An operation that is `Awaitable`
 * answers at once where the store does, as SQLite on a local disk, and by a promise where it can't, as a store on other
 * machines; errors are thrown or rejected accordingly. Every `interaction` is 1 to 64 letters, digits, `-` or `_`;
 * anything else is AppError `usage`.
 */

import type {AppError} from '../../machines/domain/app-error.ts';
import type {Json, JsonObject} from '../../machines/domain/json.ts';
import type {Missing} from '../../tools/run/snapshot/entry.ts';

export type Awaitable<T> = T | Promise<T>;

/** What happened, before the journal gave it a place. Bodies are plain JSON. */
export type EntryBody =
  /**
   * On the first that becomes durable at once: `digest`, where all before it led; `ran`, how long the tree has been at work
   * by then, ms.
   */
  (
    | {readonly type: 'opened'; readonly input: JsonObject; readonly version: string}
    | {
        readonly type: 'requested';
        readonly key: string;
        readonly request: string;
        /** It had not begun when the run was suspended: an earlier entry of its kind counts no more. */
        readonly isTakenBack?: true;
        /** Said once more: the entry that said so first is gone, and with it what came of it. */
        readonly isLost?: true;
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
    /** A decision that the charts made: for audit, not replayed. */
    | {readonly type: 'noted'; readonly note: JsonObject}
    | {readonly type: 'closed'; readonly result: JsonObject}
  ) & {readonly digest?: string; readonly ran?: number};

export type Entry = EntryBody & {
  /** Counts up from 0 within an interaction. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** SHA-256 over the entry before and this one, hex. */
  readonly hash: string;
};

/** What one interaction adds to a shared transaction. */
export interface Addition {
  readonly interaction: string;
  readonly bodies: readonly EntryBody[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A top-level interaction as listed. */
export interface InteractionRow {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  readonly workspace: string;
  readonly openedAt: number;
  readonly updatedAt: number;
  readonly entries: number;
  /** The session that it belongs to: by its own id unless it was opened in another. */
  readonly session: string;
  /** The status of the closing result, or undefined while the interaction is open. */
  readonly status: string | undefined;
  /** What it came to in words: the answer of the closing result, else its summary. Undefined while it is open. */
  readonly answer: string | undefined;
}

/** An effect that was about to be performed: what its `requested` entry says. */
export type Begun = Pick<
  Extract<Entry, {readonly type: 'requested'}>,
  'type' | 'seq' | 'key' | 'request' | 'isTakenBack'
>;

export interface Salvaged {
  /** Sound up to the damage. What is appended follows the last entry that was ever written. */
  readonly entries: readonly Entry[];
  /** AppError `journal_corrupt`, as `read` has it. */
  readonly damage: AppError | undefined;
  /**
   * Where nothing but the end is gone: what had begun there. Once that is appended anew, as `isLost`, the journal is sound.
   * Absent: it is, or nobody can go on with it.
   */
  readonly lost?: readonly Begun[];
}

/** Append-only entries of root interactions, chained by hash. */
export interface Log {
  /**
   * Group commit: all additions as one transaction, durable when this returns or resolves. The batch is copied before
   * it returns; batches are kept in the order of the calls, also while one waits. A body that is not JSON throws TypeError.
   * An interaction that its owner has read, or that is new, goes on where it was read: whatever was written meanwhile
   * makes this fail. A `closed` ends it, and with it go the messages and the child processes that were kept for it.
   * AppError `io` when the store can't take them, `busy` when another process has written to one of the interactions
   * meanwhile: nothing of the transaction is kept then.
   */
  readonly append: (batch: readonly Addition[]) => Awaitable<void>;
  /** All entries in order; none of an unknown interaction. AppError `journal_corrupt` when the chain is broken. */
  readonly read: (interaction: string) => Awaitable<readonly Entry[]>;
  /** What is left of an interaction, damaged or not: for whoever shows it, or closes it without a replay. */
  readonly salvage: (interaction: string) => Awaitable<Salvaged>;
  /** All interactions that were opened, the newest first. */
  readonly list: () => Awaitable<readonly InteractionRow[]>;
}

/** The right to write one interaction. Whoever holds it loses it by dying. */
export interface Ownership {
  /** Never fails. */
  readonly release: () => Awaitable<void>;
}

/** `abandoned`: its last owner died without releasing it. */
export type Tenure = 'owned' | 'abandoned' | 'free';

export interface Owners {
  /**
   * AppError `busy` when another process (or another holder in this one) owns the interaction. Where it has to wait for the
   * store, and the signal is aborted meanwhile, it may take nothing and reject with the signal's reason.
   */
  readonly own: (interaction: string, signal?: AbortSignal) => Awaitable<Ownership>;
  /** Takes nothing: the answer may be old when it is heard. */
  readonly tenureOf: (interaction: string) => Awaitable<Tenure>;
}

/** Messages for the owner of an interaction, from any process. */
export interface Inbox {
  /** A message for an interaction that has ended is dropped. */
  readonly post: (interaction: string, event: JsonObject) => Awaitable<void>;
  /**
   * Takes the messages left for an interaction, oldest first. Whoever can write to the store can leave anything; what is no
   * JSON comes as its text.
   */
  readonly take: (interaction: string) => Awaitable<readonly Json[]>;
  /**
   * Calls back soon (250 ms) after messages were left for an interaction by any process, also before this call; at
   * once for those of this journal, but never on the stack of `post`. Keeps no process alive. Returns how to stop it.
   */
  readonly watch: (interaction: string, callback: () => void) => () => void;
}

/** A process group, told from a later one of the same number by when its leader started. */
export interface ChildGroup {
  readonly processGroup: number;
  readonly startedAt: string;
}

/** Child processes at work for an interaction, so that whoever takes it over can end them. */
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

/**
 * A file, link or folder as it was before a run changed it. Hashes are SHA-256, hex, or what else stands for a state as a
 * `Replacement` of tools has it; absent: there was, or will be, nothing.
 */
export interface Backup {
  /** Relative to the workspace. */
  readonly path: string;
  readonly before?: {
    readonly hash: string;
    /** Permission bits, with the type of `st_mode` where it may be no file. */
    readonly mode: number;
    /** Its content, the target of a link, or why it is not kept. `old`: deleted to make room for newer runs. */
    readonly content: Uint8Array | Missing | 'old';
  };
  readonly after?: string;
}

/** What files held before interactions wrote to them, so that it can be undone, also after their end. */
export interface Backups {
  /** On the disk when this returns or resolves. AppError `io` when it can't be kept. */
  readonly keep: (interaction: string, backups: readonly Backup[]) => Awaitable<void>;
  /** In the order in which they were kept. */
  readonly list: (interaction: string) => Awaitable<readonly Backup[]>;
}

export interface Journal {
  readonly log: Log;
  readonly owners: Owners;
  readonly inbox: Inbox;
  readonly children: Children;
  /** Absolute paths of the files and folders that it is kept in. Absent: it is kept in none. */
  readonly places?: readonly string[];
  /** Absent: nothing that its runs do can be undone. */
  readonly backups?: Backups;
  /**
   * For whoever owns it, or when nobody does: entries, messages, child processes and backups of the interaction are gone when this returns or
   * resolves, also from the bytes of what the journal is kept in. Harmless for one that there is not. AppError `io` when
   * that could not be done wholly, as while another process keeps reading; to be called again then.
   */
  readonly erase: (interaction: string) => Awaitable<void>;
  /** Gives up what it owns. Nothing can be asked of it afterwards. Closing it again is harmless. */
  readonly close: () => Awaitable<void>;
}

/** The same operations, none of which ever makes its caller wait. */
export type Immediate<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Exclude<Result, Promise<unknown>>
    : Immediate<T[K]>;
};
