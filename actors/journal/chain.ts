/** The chain of hashes that ties an interaction's entries to their order, and the form in which they are stored. */

import {hash} from 'node:crypto';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Addition, Entry, EntryBody, SessionRow} from './journal.ts';

/** Where the next entry joins: its seq, and the hash before it. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** An entry as stored: `body` is the very text that was hashed. */
export interface StoredEntry {
  readonly seq: number;
  readonly at: number;
  readonly hash: string;
  readonly body: string;
}

export interface LinkedAddition {
  readonly interaction: string;
  readonly entries: readonly Entry[];
  readonly stored: readonly StoredEntry[];
}

/** Throws AppError `usage`: ids become names of files and rows, so they are plain words. */
export function requireInteractionId(id: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(id)) return;
  throw new AppError(
    'usage',
    `${JSON.stringify(id.slice(0, 80))} is not an interaction id; give 1 to 64 letters, digits, "-" or "_"`,
  );
}

/** The chain begins with the interaction's id, so that entries can't move to another interaction. */
export function firstHead(interaction: string): Head {
  return {seq: 0, hash: interaction};
}

/**
 * Gives every body its place after its interaction's head, and collects the heads that hold once all is stored.
 * Touches nothing: a body that is not JSON throws before anything is kept.
 */
export function linkBatch(
  batch: readonly Addition[],
  headOf: (interaction: string) => Head,
): {readonly linked: readonly LinkedAddition[]; readonly heads: ReadonlyMap<string, Head>} {
  const heads = new Map<string, Head>();
  const linked = batch.map(({interaction, bodies, at}) => {
    let head = heads.get(interaction) ?? headOf(interaction);
    const entries: Entry[] = [];
    const stored: StoredEntry[] = [];
    for (const body of bodies) {
      const text = JSON.stringify(body);
      const {seq} = head;
      const chained = hashAfter(head.hash, seq, at, text);
      entries.push({...body, seq, at, hash: chained});
      stored.push({seq, at, hash: chained, body: text});
      head = {seq: seq + 1, hash: chained};
    }
    heads.set(interaction, head);
    return {interaction, entries, stored};
  });
  return {linked, heads};
}

/** Entries from what was stored. Throws AppError `journal_corrupt` at the first that is not where it was written. */
export function verifyChain(interaction: string, stored: Iterable<StoredEntry>): Entry[] {
  const entries: Entry[] = [];
  let head = firstHead(interaction);
  for (const {seq, at, hash: claimed, body} of stored) {
    if (seq !== head.seq) throw broken(interaction, head.seq, 'the entry is missing');
    if (hashAfter(head.hash, seq, at, body) !== claimed) {
      throw broken(interaction, seq, 'the entry was changed after it was written');
    }
    entries.push({...parseBody(interaction, seq, body), seq, at, hash: claimed});
    head = {seq: seq + 1, hash: claimed};
  }
  return entries;
}

/** What a listing says of an interaction that was opened with this input. */
export function describeOpening(
  id: string,
  {input}: Extract<EntryBody, {type: 'opened'}>,
): Pick<SessionRow, 'id' | 'form' | 'request' | 'workspace'> {
  const {form, request, workspace} = input;
  return {id, form: textOr(form), request: textOr(request), workspace: textOr(workspace)};
}

/** The status of a closing result. */
export function closingStatus({result}: Extract<EntryBody, {type: 'closed'}>): string {
  const {status} = result;
  return textOr(status, 'closed');
}

function textOr(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

function hashAfter(previous: string, seq: number, at: number, body: string): string {
  return hash('sha256', `${previous}\n${seq} ${at} ${body}`);
}

function parseBody(interaction: string, seq: number, text: string): EntryBody {
  try {
    const body: EntryBody = JSON.parse(text);
    return body;
  } catch (error) {
    throw broken(interaction, seq, 'the entry is not JSON', error);
  }
}

function broken(interaction: string, seq: number, what: string, cause?: unknown): AppError {
  return new AppError(
    'journal_corrupt',
    `journal of ${interaction}, entry ${seq}: ${what}; restore the journal from a backup, or start the request anew`,
    {cause},
  );
}
