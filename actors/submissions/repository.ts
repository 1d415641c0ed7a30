/**
 * What a server knows of submissions beside their journals: who may speak in which, and which message was heard already.
 * None of it is what a person said. Operations answer at once or by a promise, as those of a journal.
 */

import type {Awaitable} from '../journal/journal.ts';

/** One respondent filling one form. */
export interface SubmissionRecord {
  /** Of the interaction. */
  readonly id: string;
  /** The name under which the form is served. */
  readonly form: string;
  /** SHA-256 of the respondent's token, hex. */
  readonly tokenHash: string;
  /** Epoch ms, as all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Of the interview, as it was last seen. */
  readonly state: string;
}

/** A message that came with a key, so that it is heard once however often it is sent. */
export interface Receipt {
  /** Given by whoever sends it. */
  readonly key: string;
  /** SHA-256 over what was sent, hex: the same key with other words is a mistake. */
  readonly digest: string;
  /** How many messages the conversation had before it. */
  readonly before: number;
  readonly at: number;
  /** How many it had when it was answered. Absent: it is not answered yet. */
  readonly after?: number;
}

export interface Page {
  /** The id of the last one seen. Absent: from the first on. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface SubmissionRepository {
  /** AppError `usage` when there is one of this id or with this token. */
  readonly create: (record: SubmissionRecord) => Awaitable<void>;
  readonly find: (id: string) => Awaitable<SubmissionRecord | undefined>;
  readonly findByToken: (tokenHash: string) => Awaitable<SubmissionRecord | undefined>;
  /** Those of a form, the oldest first. */
  readonly list: (form: string, page: Page) => Awaitable<readonly SubmissionRecord[]>;
  /** Harmless for one that there is not. */
  readonly update: (
    id: string,
    change: Pick<SubmissionRecord, 'state' | 'updatedAt'>,
  ) => Awaitable<void>;
  /** With its receipts, also from the bytes of the file. Harmless for one that there is not. */
  readonly remove: (id: string) => Awaitable<void>;
  readonly findReceipt: (id: string, key: string) => Awaitable<Receipt | undefined>;
  /** In place of one with the same key. Those of the submission that came before `since` are given up. */
  readonly keepReceipt: (id: string, receipt: Receipt, since: number) => Awaitable<void>;
  /** Interactions of other forms that the server has begun. */
  readonly addInteraction: (id: string, at: number) => Awaitable<void>;
  /** Their ids, the newest first. */
  readonly interactions: () => Awaitable<readonly string[]>;
  readonly close: () => Awaitable<void>;
}
