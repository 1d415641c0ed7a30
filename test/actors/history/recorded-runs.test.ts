/** Recorded runs of every form, replayed, shown and copied at every entry. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {compareReplay} from '../../../actors/history/compare-replay.ts';
import {momentAfter} from '../../../actors/history/moment.ts';
import {privacyOf} from '../../../actors/history/run-privacy.ts';
import {type Copied, Transcription} from '../../../actors/history/transcribe.ts';
import {createSqliteJournal, type Entry, type Journal, peekRun} from '../../../actors/index.ts';
import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';

let folder: string;
let journal: Journal;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-recorded-'));
  unpackBefore(join(folder, 'journal.db'));
  journal = createSqliteJournal(join(folder, 'journal.db'));
});

afterAll(async () => {
  await journal.close();
  rmSync(folder, {recursive: true});
});

function entryOf({body, at}: Copied, seq: number): Entry {
  return {...body, at, seq, hash: ''};
}

describe.each(Object.entries(beforeForms))('%s', (_name, {id}) => {
  let entries: readonly Entry[];

  beforeAll(async () => {
    ({entries} = await journal.log.salvage(id));
  });

  test('replays to the same states, notes and result', async () => {
    const {differences} = await compareReplay(id, entries);
    expect(differences).toEqual([]);
  });

  test('shows at every entry what it had reported until then', async () => {
    const {reports: all} = await peekRun(id, entries);
    for (const {seq} of entries) {
      const past = entries.slice(0, seq + 1);
      const {reports} = await peekRun(id, past);
      expect(reports, `entry ${seq}`).toEqual(all.slice(0, reports.length));
      const moment = await momentAfter(past);
      expect(moment.entry).toBe(seq);
      expect(moment.actors[0]?.path).toBe('i');
    }
  });

  test('can be copied up to every entry under another id and into another folder', async () => {
    for (const {seq} of entries.filter(({type}) => type !== 'closed')) {
      const past = entries.slice(0, seq + 1);
      const copy = new Transcription(id, entries, {id: 'copied', workspace: '/elsewhere'});
      await copy.copy(past);
      const copied = copy.copied.map(entryOf);
      expect(copied.map(({type}) => type)).toEqual(past.map(({type}) => type));
      const again = await momentAfter(copied);
      const original = await momentAfter(past);
      expect(again.open.map((key) => key.replaceAll('copied.', `${id}.`))).toEqual(original.open);
      expect(again.actors.map(({state}) => state)).toEqual(original.actors.map(({state}) => state));
    }
  });
});

test('private answers of an interview are masked at every moment, also right after the reply', async () => {
  const id = beforeForms['interview-ended']?.id ?? '';
  const {entries} = await journal.log.salvage(id);
  for (const {seq} of entries) {
    const moment = await momentAfter(entries.slice(0, seq + 1));
    const masked = (await privacyOf(id, entries, moment)).data(moment);
    expect(JSON.stringify(masked), `entry ${seq}`).not.toContain('Ann Lee');
  }
});
