/** The chain of hashes that ties an interaction's entries to their order, and the form in which they are stored. */

import {hash} from 'node:crypto';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Addition, Entry, EntryBody, InteractionRow, Salvaged} from './journal.ts';

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

export interface LinkedAddition extends Addition {
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

/** All entries, or the damage thrown. */
export function requireSound({entries, damage}: Salvaged): readonly Entry[] {
  if (damage) throw damage;
  return entries;
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
  const linked = batch.map((addition) => {
    const {interaction, bodies, at} = addition;
    let head = heads.get(interaction) ?? headOf(interaction);
    const stored: StoredEntry[] = [];
    for (const body of bodies) {
      const text = JSON.stringify(body);
      const {seq} = head;
      const chained = hashAfter(head.hash, seq, at, text);
      stored.push({seq, at, hash: chained, body: text});
      head = {seq: seq + 1, hash: chained};
    }
    heads.set(interaction, head);
    return {...addition, stored};
  });
  return {linked, heads};
}

/** The entries up to the first that is not where it was written, or not as it was written. */
export function salvageChain(interaction: string, stored: Iterable<StoredEntry>): Salvaged {
  const entries: Entry[] = [];
  let head = firstHead(interaction);
  for (const entry of stored) {
    const {seq, at, hash: chained, body} = entry;
    const fault = faultOf(head, entry);
    if (fault !== undefined) return {entries, damage: broken(interaction, head.seq, fault)};
    const parsed: EntryBody = JSON.parse(body);
    entries.push({...parsed, seq, at, hash: chained});
    head = {seq: seq + 1, hash: chained};
  }
  return {entries, damage: undefined};
}

/** What a listing says of an interaction that was opened with this input. */
export function describeOpening(
  id: string,
  {input}: Extract<EntryBody, {type: 'opened'}>,
): Pick<InteractionRow, 'id' | 'form' | 'request' | 'workspace'> {
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

function faultOf(head: Head, {seq, at, hash: claimed, body}: StoredEntry): string | undefined {
  if (seq !== head.seq) return 'the entry is missing';
  if (hashAfter(head.hash, seq, at, body) === claimed) return undefined;
  return 'the entry was changed after it was written';
}

function broken(interaction: string, seq: number, what: string): AppError {
  return new AppError(
    'journal_corrupt',
    `journal of ${interaction}, entry ${seq}: ${what}; restore the journal from a backup, or start the request anew`,
  );
}
