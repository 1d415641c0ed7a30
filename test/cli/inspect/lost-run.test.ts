/** A run that is erased, or damaged, while a page follows it. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {expect, onTestFinished, test} from 'vitest';

import {createRuntime, createSqliteJournal} from '../../../actors/index.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {eraseRun} from '../../../actors/sessions/erase.ts';
import {startInspector} from '../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../cli/inspect/run-traces.ts';
import {askAt} from '../../support/serving.ts';
import {listenTo, type StreamEvent} from '../../support/sse.ts';

/** A suspended run in a file, and a reader that has all of its steps. */
async function follow() {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-lost-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const file = join(folder, 'journal.db');
  const journal = createSqliteJournal(file);
  onTestFinished(async () => await journal.close());
  const runtime = createRuntime({journal, env: {}, config: {agent: {confirm_execution: true}}});
  onTestFinished(runtime.close);
  const run = runtime.agent('Create a.txt with the text: hello', {workspace: folder});
  for await (const {type} of run.events) if (type === 'human.requested') break;
  await run.suspend('waiting');
  const traces = createRunTraces(runtime);
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  onTestFinished(inspector.close);
  const {url, token} = inspector;
  const {events} = await listenTo(`${url}/v1/traces/${run.id}/steps`, token);
  for (;;) {
    const {value} = await events.next();
    if (value?.event === 'ready') break;
  }
  const head = async () => await askAt(url)(`/v1/traces/${run.id}`, {token});
  return {id: run.id, file, journal, events, head};
}

/** Rejects when the connection is broken off. */
async function rest(events: AsyncGenerator<StreamEvent>): Promise<StreamEvent[]> {
  const received: StreamEvent[] = [];
  for await (const event of events) received.push(event);
  return received;
}

test('the stream of a run that is erased ends, and a new connection is told why', async () => {
  const {id, journal, events, head} = await follow();
  await eraseRun(id, journal);
  expect(await rest(events)).toEqual([]);
  expect(await head()).toMatchObject({status: 404, json: {error: {code: 'not_found'}}});
});

test('the stream of a run that is damaged ends with its next entry, and a new connection is told why', async () => {
  const {id, file, events, head} = await follow();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE entries SET body = body || ' ' WHERE seq = 2`);
  database.exec(`UPDATE interactions SET entries = entries + 1 WHERE id = '${id}'`);
  database.close();
  expect((await rest(events)).filter(({event}) => event === 'steps')).toEqual([]);
  expect(await head()).toMatchObject({status: 503, json: {error: {code: 'journal_corrupt'}}});
});
