/**
 * The records of submissions in a journal: who may access which submission, and which messages were already processed. They
 * hold no text of a person.
 */

import type {Awaitable} from './journal.ts';

/** One respondent filling one form. */
export interface SubmissionRecord {
  /** The id of the interaction. */
  readonly id: string;
  /** The name under which the form is served. */
  readonly form: string;
  /** SHA-256 of the respondent's token, hex. */
  readonly tokenHash: string;
  /** Epoch ms, as all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The last known state of the interview. */
  readonly state: string;
}

/** The rest of a record follows from the entry that opens its interaction. */
export type NewSubmission = Pick<SubmissionRecord, 'form' | 'tokenHash'>;

/** The record of a message with a key, so that it is processed only once, however often it is sent. */
export interface Receipt {
  /** Chosen by the sender. */
  readonly key: string;
  /** SHA-256 over the message, hex: the same key with another message is an error. */
  readonly digest: string;
  /** The number of messages in the conversation before it. */
  readonly before: number;
  readonly at: number;
  /** The number of messages when it was answered. Absent: it is not answered yet. */
  readonly after?: number;
}

export interface Page {
  /** The id of the last record of the page before. Absent: the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A record is made with the addition that opens its interaction, and erased with the interaction. */
export interface SubmissionRecords {
  readonly find: (id: string) => Awaitable<SubmissionRecord | undefined>;
  readonly findByToken: (tokenHash: string) => Awaitable<SubmissionRecord | undefined>;
  /** Records of a form, the oldest first. */
  readonly list: (form: string, page: Page) => Awaitable<readonly SubmissionRecord[]>;
  /** Does nothing for an unknown id. */
  readonly update: (
    id: string,
    change: Pick<SubmissionRecord, 'state' | 'updatedAt'>,
  ) => Awaitable<void>;
  readonly findReceipt: (id: string, key: string) => Awaitable<Receipt | undefined>;
  /**
   * Returns the receipt that is kept: of a key that has one, the earlier one, to which only `after` is added. Deletes receipts of
   * the submission from before `since`.
   */
  readonly keepReceipt: (id: string, receipt: Receipt, since: number) => Awaitable<Receipt>;
  /** Records an interaction of another form that the server has started. */
  readonly addInteraction: (id: string, at: number) => Awaitable<void>;
  /** Their ids, the newest first. */
  readonly interactions: () => Awaitable<readonly string[]>;
}

/** The columns of a table of any database; `id` may have another name there. */
type Columns = Readonly<Record<string, unknown>>;

export function toRecord(row: Columns, id: unknown = row['id']): SubmissionRecord {
  return {
    id: String(id),
    form: String(row['form']),
    tokenHash: String(row['token_hash']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    state: String(row['state']),
  };
}

export function toReceipt(row: Columns): Receipt {
  const {after} = row;
  return {
    key: String(row['key']),
    digest: String(row['digest']),
    before: Number(row['before']),
    at: Number(row['at']),
    ...(after === null ? {} : {after: Number(after)}),
  };
}
