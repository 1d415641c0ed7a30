/** Cancelling from another process: a run, or one interaction of it, with its children. */

import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createSqliteJournal, type Journal, type Run} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {type Asking, createAsking, lastText, say} from '../support/asking.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

let launcher: Launcher;
const journals: Journal[] = [];

beforeEach(() => {
  launcher = createLauncher();
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  launcher.remove();
});

function never(): Promise<ModelOutcome> {
  return new Promise(() => {});
}

/** Runs over the journal of the launcher. */
function createProcess(answer: AskingAnswer = never): Asking {
  const journal = createSqliteJournal(join(launcher.folder, 'data/journal.db'));
  journals.push(journal);
  return createAsking({answer, journal, workspace: launcher.folder});
}

type AskingAnswer = (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;

/** A question that is never answered, with `.1`, `.1.1` and `.2` below it. */
async function startTree({runtime}: Asking): Promise<Run> {
  const run = runtime.ask('root', {workspace: launcher.folder});
  await run.opened;
  const wanted = ['', '.1', ''];
  const spawnNext = (): void => {
    const above = wanted.shift() ?? '';
    const parent = `${run.id}${above}`;
    run.send({type: 'interaction.spawn', form: 'ask', request: `below ${above}`, parent});
  };
  spawnNext();
  for await (const event of run.events) {
    if (event.type !== 'interaction.spawned') continue;
    if (wanted.length === 0) break;
    spawnNext();
  }
  return run;
}

async function untilSettled(run: Run, child: string): Promise<void> {
  for await (const event of run.events) {
    if (event.type === 'interaction.settled' && event.child === child) return;
  }
}

function standing(run: Run) {
  return run.interactions().map(({id, result}) => [id.slice(run.id.length), result?.status]);
}

test('an interaction of a live run ends with its children, but not its siblings', async () => {
  const run = await startTree(createProcess());
  const cancelled = await launcher.perform(['cancel', `${run.id}.1`]);

  expect(cancelled).toMatchObject({
    code: 0,
    stdout: `interaction ${run.id}.1: the process of its run was asked to cancel it\n`,
  });
  await untilSettled(run, `${run.id}.1`);
  expect(standing(run)).toEqual([
    ['', undefined],
    ['.1', 'cancelled'],
    ['.1.1', 'cancelled'],
    ['.2', undefined],
  ]);
  const again = await launcher.perform(['cancel', `${run.id.slice(0, 6)}.1`]);
  expect([again.code, again.stderr]).toEqual([
    2,
    `quorate: the interaction ${run.id}.1 has ended; see: quorate show ${run.id}\n`,
  ]);
  await run.suspend('interrupted');
});

test('the cancel of a run reaches every interaction of it', async () => {
  const run = await startTree(createProcess());
  const {code, stdout} = await launcher.perform(['cancel', run.id]);

  expect([code, stdout]).toEqual([0, `run ${run.id}: its process was asked to cancel it\n`]);
  expect(await run.result).toMatchObject({
    status: 'cancelled',
    interactions: [
      {id: `${run.id}.1`, status: 'cancelled'},
      {id: `${run.id}.1.1`, status: 'cancelled'},
      {id: `${run.id}.2`, status: 'cancelled'},
    ],
  });
});

test('an interaction of a run without a process is cancelled when the run continues', async () => {
  const first = await startTree(createProcess());
  await first.suspend('interrupted');
  const {code, stdout} = await launcher.perform(['cancel', `${first.id}.1`]);

  expect([code, stdout]).toEqual([
    0,
    `interaction ${first.id}.1: will be cancelled when its run continues: quorate resume ${first.id}\n`,
  ]);
  const asked: string[] = [];
  const {runtime} = createProcess(async (request) => {
    asked.push(lastText(request));
    if (!lastText(request).includes('below .1')) await untilSettled(run, `${first.id}.1`);
    return say('so it is');
  });
  const run = await runtime.resume(first.id);
  expect(await run.result).toMatchObject({
    status: 'completed',
    interactions: [{status: 'cancelled'}, {}, {status: 'completed'}],
  });
});

test('an unknown interaction of a run is an error', async () => {
  const run = await startTree(createProcess());
  const {code, stderr} = await launcher.perform(['cancel', `${run.id}.7`]);

  expect([code, stderr]).toEqual([
    2,
    `quorate: there is no interaction ${run.id}.7; see: quorate show ${run.id}\n`,
  ]);
  await run.suspend('interrupted');
});
