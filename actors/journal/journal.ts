/** The contract of a journal: append-only entries of root interactions, chained by hash. */

import type {Json, JsonObject} from '../../machines/domain/json.ts';

/** What happened, before the journal gave it a place. Bodies are plain JSON. */
export type EntryBody =
  /** `digest` on an entry: where the transaction before it led. Only the first of a transaction carries one. */
  (
    | {readonly type: 'opened'; readonly input: JsonObject; readonly version: string}
    | {readonly type: 'requested'; readonly key: string; readonly request: string}
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
    | {readonly type: 'closed'; readonly result: JsonObject}
  ) & {readonly digest?: string};

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

/** A run as listed. */
export interface SessionRow {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  readonly workspace: string;
  readonly openedAt: number;
  readonly updatedAt: number;
  readonly entries: number;
  /** The status of the closing result, or undefined while the run is open. */
  readonly status: string | undefined;
}

/** The right to write one interaction. The operating system takes it back when its holder dies. */
export interface Ownership {
  release(): void;
}

/** Every `interaction` is 1 to 64 letters, digits, `-` or `_`; anything else throws AppError `usage`. */
export interface Journal {
  /**
   * Appends the bodies as one transaction and returns the entries, durable on return. `at` is epoch ms.
   * Throws AppError `io` when the store cannot take them: nothing of the transaction is kept then.
   */
  append(interaction: string, bodies: readonly EntryBody[], at: number): readonly Entry[];
  /** Group commit: all additions as one transaction. Returns the entries of each, in order. Throws as `append` does. */
  appendMany(batch: readonly Addition[]): readonly (readonly Entry[])[];
  /** All entries in order. Throws AppError `journal_corrupt` when the chain of hashes is broken. */
  read(interaction: string): readonly Entry[];
  /** Newest first. */
  sessions(): readonly SessionRow[];
  /** Throws AppError `busy` when another process (or another holder in this one) owns the interaction. */
  own(interaction: string): Ownership;
  /** Leaves a message for whoever owns the interaction, from any process. */
  post(interaction: string, event: JsonObject): void;
  /** Takes the messages left for an interaction, oldest first. */
  take(interaction: string): readonly JsonObject[];
  /**
   * Calls back soon (250 ms) after messages were left for an interaction by any process, also before this call; at
   * once for those of this journal, but never on the stack of `post`. Keeps no process alive. Returns how to stop it.
   */
  watch(interaction: string, callback: () => void): () => void;
  /** Remembers a child process group, so that whoever takes over can end it. */
  rememberChild(interaction: string, processGroup: number, startedAt: string): void;
  children(
    interaction: string,
  ): readonly {readonly processGroup: number; readonly startedAt: string}[];
  forgetChildren(interaction: string): void;
  close(): void;
}
