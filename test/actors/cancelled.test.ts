/** A cancelled run reports its calls in doubt and leaves no process behind. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createSqliteJournal} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {startTimeOf} from '../../tools/run/processes.ts';
import {createScenario, cutJournal, type Scenario} from '../support/scenario.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-cancelled-'));
});

afterEach(() => rmSync(folder, {recursive: true}));

/** A run whose process died during the call of `prove`, which must not be repeated; `change` edits its entries. */
async function killed(
  change: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries,
): Promise<Scenario & {readonly id: string}> {
  const {start, runtime} = createScenario();
  const run = start();
  await run.result;
  const entries = await runtime.entries(run.id);
  const begun = entries.findLastIndex((entry) => entry.type === 'requested');
  const scenario = createScenario({
    journal: cutJournal(run.id, change(entries.slice(0, begun + 1))),
  });
  return {...scenario, id: run.id};
}

test('a call in flight when its process died is reported as in doubt', async () => {
  const {runtime, performed, id} = await killed();
  const result = await runtime.cancel(id);
  expect(result).toMatchObject({status: 'cancelled', inDoubt: ['prove {"what":"it"}']});
  expect(performed.tools).toEqual([]);
  expect((await runtime.entries(id)).at(-1)).toMatchObject({type: 'closed', result});
});

test('a call that a person is asked about is reported as in doubt', async () => {
  const {runtime, id} = await killed();
  const run = await runtime.resume(id);
  for await (const event of run.events) {
    if (event.type === 'human.requested') run.send({type: 'user.cancel'});
  }
  expect(await run.result).toMatchObject({status: 'cancelled', inDoubt: ['prove {"what":"it"}']});
});

test('a run without a call in doubt reports none', async () => {
  const run = createScenario().start();
  run.send({type: 'user.cancel'});
  const result = await run.result;
  expect(result.status).toBe('cancelled');
  expect(result).not.toHaveProperty('inDoubt');
});

test('without a replay, a call in doubt has its name from the journal', async () => {
  const {runtime, id} = await killed((entries) =>
    entries.map((entry, at) =>
      entry.type === 'settled' && at === 3 ? {...entry, key: `${entry.key}-of-old`} : entry,
    ),
  );
  expect(await runtime.cancel(id)).toMatchObject({
    status: 'cancelled',
    inDoubt: [expect.stringMatching(/^i\/.*\/run#1$/)],
  });
});

test('cancelling a damaged run ends the processes that it left running', async () => {
  const {runtime: first, id} = await killed();
  const file = join(folder, 'journal.db');
  const journal = createSqliteJournal(file);
  for (const {seq: _, at, hash: __, ...body} of await first.entries(id)) {
    await journal.log.append([{interaction: id, bodies: [body], at}]);
  }
  const orphan = spawn('sleep', ['60'], {detached: true, stdio: 'ignore'});
  const ended = once(orphan, 'exit');
  const group = orphan.pid ?? 0;
  await journal.children.remember(id, group, startTimeOf(group) ?? '');
  const database = new DatabaseSync(file);
  database.exec('UPDATE entries SET at = at + 1 WHERE seq = 5');
  database.close();

  expect(await createScenario({journal}).runtime.cancel(id)).toMatchObject({status: 'cancelled'});
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await journal.children.list(id)).toEqual([]);
  await journal.close();
});
