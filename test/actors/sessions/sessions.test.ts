/** Sessions: several runs that a person regards as one, found and resumed, on a real journal. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createSqliteJournal, type Journal, type SessionRow} from '../../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {
  type Asking,
  type AskingOptions,
  createAsking,
  lastText,
  say,
} from '../../support/asking.ts';

let folder: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-sessions-')));
  for (const name of ['here', 'there']) mkdirSync(join(folder, name));
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

/** Runs as in a process of its own: several journals on one file exclude each other as several processes do. */
function createProcess(answer: AskingOptions['answer'] = shout): Asking {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  journals.push(journal);
  return createAsking({answer, journal, workspace: join(folder, 'here')});
}

function shout(request: ModelRequest): ModelOutcome {
  const isOnRetry = /^# Question\n[^\n]*retry/.test(lastText(request));
  return say(isOnRetry ? 'Three times, then it gives up.' : 'YES');
}

function never(): Promise<ModelOutcome> {
  return new Promise(() => {});
}

async function endOf(
  {runtime}: Asking,
  request: string,
  place: {session?: string; workspace?: string} = {},
) {
  const run = runtime.ask(request, {workspace: join(folder, 'here'), ...place});
  await run.result;
  return run.id;
}

/** Leaves a session with one ended run and two open ones, as a process does that is shut down. */
async function leave(): Promise<readonly string[]> {
  const asking = createProcess();
  await endOf(asking, 'ended', {session: 'talk'});
  await asking.runtime.close();
  const hanging = createProcess(never);
  const runs = ['first', 'second'].map((request) =>
    hanging.runtime.ask(request, {workspace: join(folder, 'here'), session: 'talk'}),
  );
  await Promise.all(runs.map(async ({opened}) => await opened));
  await hanging.runtime.close();
  return runs.map(({id}) => id);
}

const outline = (sessions: readonly SessionRow[]) =>
  sessions.map(({id, roots}) => [id, roots.map(({request}) => request)]);

describe('a session', () => {
  test('has the runs that were started in it, the oldest first; a run started without one has a session of its own', async () => {
    const asking = createProcess();
    await endOf(asking, 'one', {session: 'talk'});
    const alone = await endOf(asking, 'alone');
    await endOf(asking, 'two', {session: 'talk'});
    const [talk] = await asking.runtime.sessions();

    expect(outline(await asking.runtime.sessions())).toEqual([
      ['talk', ['one', 'two']],
      [alone, ['alone']],
    ]);
    expect(talk).toMatchObject({
      openedAt: talk?.roots[1]?.openedAt,
      updatedAt: talk?.roots[1]?.updatedAt,
      roots: [{form: 'ask', status: 'completed', answer: 'YES'}, {status: 'completed'}],
    });
  });

  test('can be joined by the id of an earlier run, also from another process', async () => {
    const first = await endOf(createProcess(), 'one');
    const asking = createProcess();
    await endOf(asking, 'two', {session: first});

    expect(outline(await asking.runtime.sessions())).toEqual([[first, ['one', 'two']]]);
  });

  test.for(['', 'a b', '../x', 'x'.repeat(65)])('cannot be named %j', (session) => {
    const {runtime} = createProcess();
    expect(() => runtime.ask('x', {session})).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('is not a session id'),
      }),
    );
  });
});

describe('sessions are found', () => {
  const cases: readonly (readonly [words: string, found: readonly string[]])[] = [
    ['RETRY', ['talk']],
    ['gives up', ['talk']],
    ['gives retry', ['talk']],
    ['retry colour', ['talk']],
    ['talk', ['talk']],
    ['there', ['far']],
    ['YES', ['far', 'talk']],
    ['retry nowhere', []],
    ['  ', ['far', 'talk']],
  ];

  test('by words of requests, answers, folders and ids, in any letter case', async () => {
    const asking = createProcess();
    await endOf(asking, 'What does the retry limit do?', {session: 'talk'});
    await endOf(asking, 'Which colour is it?', {session: 'talk'});
    await endOf(asking, 'And now?', {session: 'far', workspace: join(folder, 'there')});

    for (const [search, found] of cases) {
      const sessions = await asking.runtime.sessions({search});
      expect([search, sessions.map(({id}) => id)]).toEqual([search, found]);
    }
  });

  test('by the complete path of a folder in which one of their runs works', async () => {
    const asking = createProcess();
    await endOf(asking, 'one', {session: 'both'});
    await endOf(asking, 'two', {session: 'both', workspace: join(folder, 'there')});
    await endOf(asking, 'three', {session: 'here'});
    const there = await asking.runtime.sessions({workspace: join(folder, 'there')});

    expect(outline(there)).toEqual([['both', ['one', 'two']]]);
    expect(await asking.runtime.sessions({workspace: join(folder, 'gone')})).toEqual([]);
  });
});

describe('a session that a process left', () => {
  test('continues with every open run, in a later process', async () => {
    const ids = await leave();
    const ended: string[] = [];
    const {runtime} = createProcess();
    const {id, runs, left} = await runtime.resumeSession('talk', {
      onEvent: ({type, interaction}) => type === 'result' && ended.push(interaction),
    });

    expect([id, runs.map((run) => run.id), left]).toEqual(['talk', ids, []]);
    for (const run of runs) expect(await run.result).toMatchObject({answer: 'YES'});
    expect(ended.toSorted()).toEqual(ids.toSorted());
    expect((await runtime.resumeSession('talk')).runs).toEqual([]);
  });

  test('reports the run that another process has at work, and continues with the others', async () => {
    const [first = '', second = ''] = await leave();
    const other = await createProcess(never).runtime.resume(first);
    const {runtime} = createProcess();
    const {runs, left} = await runtime.resumeSession('talk');

    expect(runs.map(({id}) => id)).toEqual([second]);
    expect(left).toEqual([
      {id: first, error: {code: 'busy', message: expect.stringContaining(first)}},
    ]);
    await other.suspend('interrupted');
    expect((await runtime.resumeSession('talk')).runs.map(({id}) => id)).toContain(first);
  });

  test('keeps a run whose folder is missing until it is back', async () => {
    const ids = await leave();
    rmSync(join(folder, 'here'), {recursive: true});
    const {runtime} = createProcess();
    const gone = await runtime.resumeSession('talk');

    expect(gone.runs).toEqual([]);
    expect(gone.left).toEqual(
      ids.map((id) => ({
        id,
        error: {code: 'usage', message: expect.stringMatching(/not a folder/)},
      })),
    );
    mkdirSync(join(folder, 'here'));
    expect((await runtime.resumeSession('talk')).runs.map(({id}) => id)).toEqual(ids);
  });

  test('is not found by an unknown name', async () => {
    await expect(createProcess().runtime.resumeSession('nobody')).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no session nobody; see: quorate runs',
    });
  });
});
