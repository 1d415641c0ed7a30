/** A run with decisions of persons, recorded by a journal that signs, and forgeries of its export. */

import {createHash} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {createMemoryJournal, createRuntime, type Entry} from '../../../actors/index.ts';
import type {EntryBody} from '../../../actors/journal/journal.ts';
import {
  createSigner,
  makePublicKey,
  type Sign,
  withSignature,
} from '../../../actors/journal/signing-key.ts';

export interface SignedRun {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** PEM. */
  readonly key: string;
  readonly sign: Sign;
}

/** An agent without a model writes a file, after a person has approved its plan. */
export async function recordSignedRun(folder: string): Promise<SignedRun> {
  const keys = join(folder, 'keys');
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const journal = createMemoryJournal({sign: createSigner(keys)});
  const runtime = createRuntime({journal, env: {}, config: {agent: {confirm_execution: true}}});
  const run = runtime.agent('Create a file notes.txt with the content "Hello"', {workspace});
  for await (const event of run.events) {
    if (event.type === 'human.requested') run.send({type: 'human.decided', decision: 'approve'});
  }
  await run.result;
  await runtime.close();
  const entries = await journal.log.read(run.id);
  return {id: run.id, entries, key: makePublicKey(keys).pem, sign: createSigner(keys)};
}

export function exportText(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** The entries, numbered and chained anew from their places: without the key, nothing is signed anew. */
export function chainAnew(id: string, entries: readonly Entry[]): readonly Entry[] {
  let previous = id;
  return entries.map((entry, seq) => {
    const {seq: _, at, hash: __, ...body} = entry;
    const text = `${previous}\n${seq} ${at} ${JSON.stringify(body)}`;
    previous = createHash('sha256').update(text).digest('hex');
    return {...entry, seq, hash: previous};
  });
}

/** As an installation would end a run in which it found these entries: it signs the end. */
function endSigned(id: string, entries: readonly Entry[], sign: Sign): readonly Entry[] {
  const chained = chainAnew(id, entries);
  const {seq, at, hash: _, signature: __, ...body} = entryAt(chained, chained.length - 1);
  const place = {interaction: id, seq, at, previous: chained.at(-2)?.hash ?? id};
  const signed: EntryBody = JSON.parse(withSignature(JSON.stringify(body), place, sign));
  return chainAnew(id, chained.with(seq, {...signed, seq, at, hash: ''}));
}

export interface Forgery {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** The entry that is named. */
  readonly entry: number;
}

/** At least one of each kind: whoever forges has the file, and may chain it anew, but has no key. */
export function forgeriesOf({id, entries, sign}: SignedRun): readonly Forgery[] {
  const last = entries.length - 1;
  const decision = entries.findIndex(isDecision);
  const rejected = entries.map((entry) => (isDecision(entry) ? rejecting(entry) : entry));
  const place = entries.findIndex(({type, seq}) => type === 'noted' && seq > decision);
  const edited = entries.with(place, {...entryAt(entries, place), type: 'noted', note: {}});
  const inserted = entries.toSpliced(place, 0, entryAt(entries, place));
  const swapped = entries
    .with(place, entryAt(entries, place + 1))
    .with(place + 1, entryAt(entries, place));
  const unsigned = rejected.map(withoutSignature);
  const twice = entries.toSpliced(decision + 1, 0, withoutSignature(entryAt(entries, decision)));
  return [
    {name: 'a missing tail', entries: entries.slice(0, -2), entry: last - 1},
    {name: 'a missing end', entries: entries.slice(0, -1), entry: last},
    {name: 'a changed entry', entries: edited, entry: place},
    {name: 'a changed entry, chained anew', entries: chainAnew(id, edited), entry: last},
    {name: 'a missing entry', entries: entries.toSpliced(place, 1), entry: place},
    {
      name: 'a missing entry, chained anew',
      entries: chainAnew(id, entries.toSpliced(place, 1)),
      entry: last - 1,
    },
    {name: 'reordered entries', entries: swapped, entry: place},
    {name: 'reordered entries, chained anew', entries: chainAnew(id, swapped), entry: last},
    {name: 'an inserted entry', entries: inserted, entry: place + 1},
    {name: 'an inserted entry, chained anew', entries: chainAnew(id, inserted), entry: last + 1},
    {name: 'a forged decision', entries: rejected, entry: decision},
    {name: 'a forged decision, chained anew', entries: chainAnew(id, rejected), entry: decision},
    {
      name: 'a forged decision without signatures',
      entries: chainAnew(id, unsigned),
      entry: decision,
    },
    {
      name: 'an unsigned decision, and a signed end',
      entries: endSigned(id, rejected.map(withoutSignature), sign),
      entry: decision,
    },
    {
      name: 'a decision whose signature is left out, and a signed end',
      entries: endSigned(id, entries.map(withoutSignature), sign),
      entry: decision,
    },
    {name: 'a second, unsigned decision', entries: endSigned(id, twice, sign), entry: decision + 1},
    {
      name: 'an entry after the end',
      entries: chainAnew(id, [...entries, entryAt(entries, place)]),
      entry: last + 1,
    },
  ];
}

function entryAt(entries: readonly Entry[], seq: number): Entry {
  const entry = entries[seq];
  if (entry) return entry;
  throw new Error(`there is no entry ${seq}`);
}

export function withoutSignature({signature: _signature, ...entry}: Entry): Entry {
  return entry;
}

export function isDecision(entry: Entry): entry is Extract<Entry, {type: 'received'}> {
  return entry.type === 'received' && entry.event['type'] === 'human.decided';
}

function rejecting(entry: Extract<Entry, {type: 'received'}>): Entry {
  return {...entry, event: {...entry.event, decision: 'reject'}};
}
