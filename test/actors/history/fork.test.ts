/** Forks of recorded runs: at every entry, with other settings, words and decisions, and in folders that have changed. */

import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest';

import {
  createRuntime,
  createSqliteJournal,
  type Entry,
  type Journal,
  type Run,
  type Runtime,
} from '../../../actors/index.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../../machines/domain/human.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {openRuntime, speak} from '../../fixtures/journals/recorded-models.ts';
import {beforeForms, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {sampled} from '../../support/depth.ts';
import {type MockOpenAi, type ReceivedRequest, startMockOpenAi} from '../../support/mock-openai.ts';
import {appendEntries, markImported} from '../journal/entries.ts';

let folder: string;
let journal: Journal;
let server: MockOpenAi;
let runtime: Runtime;
let received: ReceivedRequest[] = [];
let copies = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-fork-test-'));
  unpackBefore(join(folder, 'journal.db'));
  journal = createSqliteJournal(join(folder, 'journal.db'));
  server = await startMockOpenAi((request) => {
    received.push(request);
    return speak(request);
  });
  runtime = openRuntime(journal, server.baseUrl);
});

afterAll(async () => {
  await runtime.close();
  await journal.close();
  await server.close();
  rmSync(folder, {recursive: true});
});

beforeEach(() => {
  received = [];
});

function idOf(name: string): string {
  return beforeForms[name]?.id ?? '';
}

function newFolder(): string {
  copies += 1;
  const path = join(folder, `copy-${copies}`);
  mkdirSync(path);
  return path;
}

const replies: Readonly<Record<string, string>> = {
  name: 'Ann Lee',
  work: 'Seven years of compilers',
};

/** Answers an interview until it is submitted; suspends any other run that asks a person. */
async function follow(run: Run, decision?: HumanDecision): Promise<RunResult> {
  for await (const event of run.events) {
    if (event.type === 'human.requested') {
      if (decision) run.send({type: 'human.decided', ...decision});
      else void run.suspend('waiting');
    }
    if (event.type === 'interview.asked') {
      const {field, section} = event;
      const greeting = 'English please, I live in Japan';
      const text = field === undefined ? (section ? greeting : 'submit') : (replies[field] ?? '');
      run.send({type: 'person.replied', text});
    }
  }
  return await run.result;
}

/** A run that has written note.txt to its folder. */
async function wrote(): Promise<{readonly id: string; readonly workspace: string}> {
  const workspace = newFolder();
  const run = await runtime.fork(idOf('agent-ended'), {at: 0, workspace});
  expect((await follow(run)).status).toBe('completed');
  expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('hello\n');
  return {id: run.id, workspace};
}

async function cuts(id: string): Promise<readonly Entry[]> {
  return (await runtime.entries(id)).filter(({type}) => type !== 'closed');
}

test('a program replays, inspects and forks a run', async () => {
  const id = idOf('agent-ended');
  const {points, differences} = await runtime.replay(id);
  expect(differences).toEqual([]);
  expect(points[0]).toEqual({name: 'plan.1', before: 1, after: 4});
  const moment = await runtime.at(id, 'plan.1');
  expect(moment.actors.find(({machine}) => machine === 'agent')?.state).toBe('reviewingPlan');
  const settings = {agent: {review_models: ['mock/d', 'mock/e']}};
  const run = await runtime.fork(id, {at: 'vote.1', workspace: newFolder(), settings});
  const {status} = await run.result;
  expect(status).toBe('completed');
});

describe('a fork at every entry', () => {
  test.each(['agent-ended', 'agent-spawned', 'ask-ended', 'interview-ended'])(
    'of %s completes',
    async (name) => {
      const id = idOf(name);
      const entries = await cuts(id);
      const written = entries.find(({type}) => type === 'requested')?.seq ?? Infinity;
      for (const {seq} of sampled(entries, 5)) {
        const workspace = newFolder();
        if (seq >= written) writeFileSync(join(workspace, 'note.txt'), 'hello\n');
        const run = await runtime.fork(id, {at: seq, workspace});
        const {status} = await follow(run);
        expect(status, `entry ${seq}`).toBe('completed');
        expect((await runtime.replay(run.id)).differences, `entry ${seq}`).toEqual([]);
      }
    },
    60_000,
  );

  test('asks again at a gate that stood open', async () => {
    const id = idOf('agent-waiting');
    for (const {seq} of sampled(await cuts(id), 5)) {
      const run = await runtime.fork(id, {at: seq, workspace: newFolder()});
      expect((await follow(run)).status, `entry ${seq}`).toBe('waiting');
    }
  });
});

describe('a fork', () => {
  test('makes no call again that was made before the point, and records its origin', async () => {
    const id = idOf('agent-ended');
    const entries = await runtime.entries(id);
    const last = entries.length - 2;
    const run = await runtime.fork(id, {at: last, workspace: newFolder()});
    await follow(run);
    const calls = entries.filter((entry) => entry.type === 'settled').length;
    expect(received.length).toBeLessThan(calls);
    const [opened] = await runtime.entries(run.id);
    expect(opened).toMatchObject({origin: {id, seq: last, hash: entries[last]?.hash}});
  });

  test('of the moment before a vote is decided by another panel', async () => {
    const id = idOf('agent-ended');
    const settings = {agent: {review_models: ['mock/d', 'mock/e']}};
    const run = await runtime.fork(id, {at: 'vote.1', workspace: newFolder(), settings});
    const {reviews = []} = await follow(run);
    expect(reviews[0]?.votes.map(({model}) => model)).toEqual(['d', 'e']);
  });

  test('of the moment before a plan has another model draft it', async () => {
    const id = idOf('agent-ended');
    const settings = {agent: {decision_model: 'mock/other'}};
    const run = await runtime.fork(id, {at: 'plan.1', workspace: newFolder(), settings});
    expect((await follow(run)).status).toBe('completed');
    const planners = received.filter(({tools}) => tools.includes('create_plan'));
    expect(planners.map(({model}) => model)).toEqual(['other']);
  });

  test('of an open gate takes another decision', async () => {
    const run = await runtime.fork(idOf('agent-decided'), {at: 'gate.1', workspace: newFolder()});
    const decision = {decision: 'reject', reason: 'not today'} as const;
    expect(await follow(run, decision)).toMatchObject({status: 'rejected'});
  });

  test('of an interview takes another answer', async () => {
    const id = idOf('interview-ended');
    const answered = (await runtime.entries(id)).findIndex(
      (entry) => entry.type === 'received' && entry.event['text'] === 'Ann Lee',
    );
    const say = 'Bea Stone';
    const run = await runtime.fork(id, {at: answered - 1, workspace: newFolder(), say});
    const {answers} = await follow(run);
    expect(answers?.answers['name']?.value).toBe('Bea Stone');
  });

  test('of a run with other words keeps the original as it is', async () => {
    const id = idOf('agent-spawned');
    const before = await runtime.entries(id);
    await follow(await runtime.fork(id, {at: 9, workspace: newFolder()}));
    expect(await runtime.entries(id)).toEqual(before);
  });

  test('belongs to a session of its own unless one is given', async () => {
    const id = idOf('ask-ended');
    const own = await runtime.fork(id, {at: 1, workspace: newFolder()});
    const joined = await runtime.fork(id, {at: 1, workspace: newFolder(), session: id});
    await Promise.all([follow(own), follow(joined)]);
    const rows = await runtime.interactions();
    const sessions = [own, joined].map((run) => rows.find((row) => row.id === run.id)?.session);
    expect(sessions).toEqual([own.id, id]);
  });
});

test('a run that was recorded elsewhere is neither forked, continued, undone nor rewound', async () => {
  const id = idOf('agent-ended');
  const {entries} = await journal.log.salvage(id);
  const path = join(folder, 'imported.db');
  const elsewhere = createSqliteJournal(path);
  const other = createRuntime({journal: elsewhere, env: {}});
  onTestFinished(async () => {
    await other.close();
    await elsewhere.close();
  });
  await appendEntries(elsewhere, id, entries);
  markImported(path);
  const refusals = [
    other.fork(id, {at: 3, workspace: newFolder()}),
    other.resume(id),
    other.undo(id),
    other.rewind(id, {to: 3}),
  ];
  for (const refused of refusals) await expect(refused).rejects.toThrow(/was recorded elsewhere/);
  expect((await other.verify(id)).entries).toBe(entries.length);
});

describe('a point that cannot be forked is refused', () => {
  test.each([
    ['the end of a run', 'agent-ended', 23, /has ended at entry 23/],
    ['an entry that is not there', 'agent-ended', 99, /the last one is 23/],
    ['an unknown name', 'agent-ended', 'plan.7', /it has plan\.1, vote\.1, task:write, vote\.2/],
    ['a thing that begins with the run', 'review-ended', 'vote.1', /there is no entry before it/],
    ['a date without a time of day', 'agent-ended', '2026-11-28', /is not a point of this run/],
    ['a time before the run', 'agent-ended', '2001-01-01T00:00', /opened after/],
  ])('%s', async (_what, name, at, message) => {
    await expect(runtime.fork(idOf(name), {at, workspace: folder})).rejects.toThrow(message);
  });

  test('with AppError not_found when there is no such run', async () => {
    for (const looked of [
      runtime.replay('nobody'),
      runtime.at('nobody', 0),
      runtime.fork('nobody', {at: 0}),
    ])
      await expect(looked).rejects.toMatchObject({code: 'not_found'});
  });

  test.each([
    ['agent-ended', '  ', 'usage'],
    ['interview-ended', 'Bea', 'nothing_waiting'],
  ])('of %s with the message "%s" that nothing can take', async (name, say, code) => {
    const fork = runtime.fork(idOf(name), {at: 0, workspace: folder, say});
    await expect(fork).rejects.toMatchObject({code});
  });

  test('and leaves no new run behind', async () => {
    const before = await runtime.interactions();
    const settings = {agent: {decision_model: 'anthropic/none'}};
    const fork = runtime.fork(idOf('agent-ended'), {at: 'plan.1', workspace: folder, settings});
    await expect(fork).rejects.toMatchObject({code: 'credentials'});
    expect(await runtime.interactions()).toHaveLength(before.length);
  });
});

describe('a run that has changed its folder since', () => {
  test('is not forked in place, and the message names the file and the ways out', async () => {
    const {id} = await wrote();
    await expect(runtime.fork(id, {at: 'plan.1'})).rejects.toThrow(
      /has changed note\.txt after entry \d+.*quorate fork --files/,
    );
  });

  test('is not forked in place when its own folder is given as the copy', async () => {
    const {id, workspace} = await wrote();
    const fork = runtime.fork(id, {at: 'plan.1', workspace});
    await expect(fork).rejects.toThrow(/has changed note\.txt after entry/);
  });

  test('is forked in place once its files are as they were', async () => {
    const {id, workspace} = await wrote();
    rmSync(join(workspace, 'note.txt'));
    const run = await runtime.fork(id, {at: 'plan.1'});
    expect((await follow(run)).status).toBe('completed');
  });

  test('is forked in place after its last change', async () => {
    const {id} = await wrote();
    const {length} = await runtime.entries(id);
    const run = await runtime.fork(id, {at: length - 2});
    expect((await follow(run)).status).toBe('completed');
  });

  test('is rewound: the file is taken back, and the new run writes it again', async () => {
    const {id, workspace} = await wrote();
    const {files: preview} = await runtime.rewind(id, {to: 'task:write', dryRun: true});
    expect(preview.files).toEqual([{path: 'note.txt', outcome: 'removed'}]);
    expect(existsSync(join(workspace, 'note.txt'))).toBe(true);
    const {run, files} = await runtime.rewind(id, {to: 'task:write'});
    expect(files.files).toEqual([{path: 'note.txt', outcome: 'removed'}]);
    expect(run && (await follow(run)).status).toBe('completed');
    expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('hello\n');
  });

  test('is in the journal as a new run only after its files were taken back', async () => {
    const {id, workspace} = await wrote();
    const atWrite: boolean[] = [];
    const {log} = journal;
    const watched = createRuntime({
      journal: {
        ...journal,
        log: {
          ...log,
          append: async (additions) => {
            atWrite.push(existsSync(join(workspace, 'note.txt')));
            return await log.append(additions);
          },
        },
      },
      config: {providers: {mock: {base_url: server.baseUrl}}},
      env: {PATH: process.env['PATH'] ?? ''},
    });
    const {run} = await watched.rewind(id, {to: 'task:write'});
    expect(run && (await follow(run)).status).toBe('completed');
    await watched.close();
    expect(atWrite[0]).toBe(false);
  });

  test('whose rewind cannot continue names the new run, in which the files are taken back', async () => {
    const {id, workspace} = await wrote();
    const rewound = runtime.rewind(id, {
      to: 'task:write',
      prepare: async () => await Promise.reject(new AppError('config', 'no database')),
    });
    await expect(rewound).rejects.toThrow(/no database; then: quorate resume \w{12}$/);
    expect(existsSync(join(workspace, 'note.txt'))).toBe(false);
    const [row] = await runtime.interactions();
    expect(row?.openedAt).toBeGreaterThan((await runtime.entries(id))[0]?.at ?? Infinity);
    const run = await runtime.resume(row?.id ?? '');
    expect((await follow(run)).status).toBe('completed');
  });

  test('is not rewound over a change of the user, and nothing is touched', async () => {
    const {id, workspace} = await wrote();
    writeFileSync(join(workspace, 'note.txt'), 'mine\n');
    const before = await runtime.interactions();
    const {run, files} = await runtime.rewind(id, {to: 'plan.1'});
    expect(run).toBeUndefined();
    expect(files.files).toMatchObject([{path: 'note.txt', outcome: 'left'}]);
    expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe('mine\n');
    expect(await runtime.interactions()).toHaveLength(before.length);
  });

  test('is copied as it was at a point', async () => {
    const {id, workspace} = await wrote();
    writeFileSync(join(workspace, 'other.txt'), 'of the user\n');
    const copy = join(folder, 'as-it-was');
    await runtime.copyFolder(id, 'task:write', copy);
    expect(existsSync(join(copy, 'note.txt'))).toBe(false);
    expect(readFileSync(join(copy, 'other.txt'), 'utf8')).toBe('of the user\n');
    expect(existsSync(join(workspace, 'note.txt'))).toBe(true);
    await expect(runtime.copyFolder(id, 'task:write', copy)).rejects.toMatchObject({code: 'io'});
  });

  test('differs between two points by its states, decisions and files', async () => {
    const {id} = await wrote();
    const diff = await runtime.diff(id, 'plan.1', 'task:write');
    expect(diff.files).toEqual([{path: 'note.txt', to: expect.stringMatching(/^[0-9a-f]{64}$/)}]);
    expect(diff.decisions.map(({what}) => what['type'])).toContain('quorum.decided');
    expect(diff.states).toContainEqual({
      path: 'i/interaction/form',
      machine: 'agent',
      from: 'reviewingPlan',
      to: 'evaluating',
    });
    expect(await runtime.diff(id, 3, 3)).toMatchObject({states: [], contexts: [], decisions: []});
  });
});
