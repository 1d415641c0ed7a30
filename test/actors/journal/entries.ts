/** Entries for tests of journals, and the messages of their inboxes. */

import {DatabaseSync} from 'node:sqlite';

import type {Awaitable, Entry, EntryBody, Journal} from '../../../actors/journal/journal.ts';
import type {Json} from '../../../machines/domain/json.ts';

export const opened = {
  type: 'opened',
  input: {form: 'agent', request: 'Fix the "test"\n日本語 \u0000 \ud800', workspace: '/w'},
  version: 'v1',
} as const satisfies EntryBody;

export const closed: EntryBody = {
  type: 'closed',
  result: {status: 'completed', exitCode: 0, summary: 'Answered.', answer: '42'},
};

export function settled(key: string, text = 'ok'): EntryBody {
  return {type: 'settled', key, request: 'r', outcome: {kind: 'ok', text, parts: [1, null]}, ms: 3};
}

/** One addition, as a transaction of its own. */
export async function append(
  {log}: Pick<Journal, 'log'>,
  interaction: string,
  bodies: readonly EntryBody[],
  at: number,
): Promise<void> {
  await log.append([{interaction, bodies, at}]);
}

/** Appends entries of another journal, with their times and, if this journal does not sign, with their hashes. */
export async function appendEntries(
  {log}: Pick<Journal, 'log'>,
  interaction: string,
  entries: readonly Entry[],
): Promise<void> {
  const additions = entries.map(({seq: _seq, hash: _hash, at, ...body}) => ({
    interaction,
    bodies: [body],
    at,
  }));
  await log.append(additions);
}

/** As an earlier version marked runs of another journal. */
export function markImported(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('UPDATE interactions SET imported = 1');
  database.close();
}

/** The messages left for an interaction, without their ids. */
export async function messagesFor(
  {inbox}: Pick<Journal, 'inbox'>,
  interaction: string,
): Promise<readonly Json[]> {
  return (await inbox.read(interaction)).map(({event}) => event);
}

/** Turns an error that is thrown at once into a rejection. */
export async function attempt<T>(work: () => Awaitable<T>): Promise<T> {
  return await work();
}
