/** Erasing a run, checked byte by byte in the files. */

import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {createRuntime} from '../../../actors/runtime.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-erase-'));
  mkdirSync(join(folder, 'work'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const file = () => join(folder, 'data', 'journal.db');

function open(patienceMs = 20_000) {
  const journal = createSqliteJournal(file(), {patienceMs});
  const runtime = createRuntime({journal, config: {agent: {working_dir: join(folder, 'work')}}});
  const close = async (): Promise<void> => {
    await runtime.close();
    await journal.close();
  };
  return {journal, runtime, close};
}

/** True when any file of the journal has the text. */
function isKept(text: string): boolean {
  const data = join(folder, 'data');
  return readdirSync(data, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .some(({parentPath, name}) => readFileSync(join(parentPath, name)).includes(text));
}

test('nothing of an erased run is left in any file of the journal, and other runs stay complete', async () => {
  const {runtime, journal, close} = open();
  const ids: string[] = [];
  for (const word of ['harmless', 'confidential', 'ordinary']) {
    const workspace = join(folder, word.slice(0, 3));
    mkdirSync(workspace);
    const text = `${word}-words `.repeat(900);
    const run = runtime.agent(`Create ${word}.txt with the text: ${text}`, {workspace});
    expect((await run.result).status).toBe('completed');
    ids.push(run.id);
  }
  const [first = '', second = '', third = ''] = ids;
  expect(isKept('confidential')).toBe(true);
  await runtime.erase(second);

  expect(isKept('confidential')).toBe(false);
  expect((await runtime.interactions()).map(({id}) => id)).toEqual([third, first]);
  expect((await runtime.entries(first)).at(-1)?.type).toBe('closed');
  expect(await journal.backups?.list(third)).toHaveLength(1);
  await close();
  expect(isKept('confidential')).toBe(false);
});

test('after an erasure, no trace of a message is left that was taken from the inbox', async () => {
  const {runtime, journal, close} = open();
  const run = runtime.ask('What is 2 + 3?');
  await journal.inbox.post(run.id, {type: 'user.said', text: 'whisper '.repeat(50)});
  await run.result;
  await runtime.erase(run.id);

  expect(isKept('whisper')).toBe(false);
  await close();
});

test('neither a run at work nor an unknown run can be erased', async () => {
  const {runtime, journal, close} = open();
  const owned = await journal.owners.own('at-work');

  await expect(runtime.erase('at-work')).rejects.toMatchObject({code: 'busy'});
  await owned.release();
  await expect(runtime.erase('at-work')).rejects.toMatchObject({code: 'not_found'});
  await close();
});

test('while another process reads the old state, erasing fails', async () => {
  const {runtime, close} = open(300);
  const run = runtime.ask('What is 20 + 3?');
  await run.result;
  const reader = new DatabaseSync(file());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM entries').get();

  await expect(runtime.erase(run.id)).rejects.toMatchObject({code: 'io'});
  expect(isKept('What is 20 + 3?')).toBe(true);
  reader.close();
  await expect(runtime.erase(run.id)).rejects.toMatchObject({code: 'not_found'});
  expect(isKept('What is 20 + 3?')).toBe(false);
  await close();
});
