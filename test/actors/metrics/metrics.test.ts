/** The figures of runs, and their ratings. */

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {beforeEach, describe, expect, test} from 'vitest';

import {createRuntime, type Journal, type ModelFigures} from '../../../actors/index.ts';
import {createMemoryJournal} from '../../../actors/journal/sqlite.ts';
import {collectStats} from '../../../actors/metrics/stats.ts';
import {resultIn} from '../../../actors/run/run-result.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {beforeForms, endAgain, unpackBefore} from '../../fixtures/journals/recorded.ts';
import {createScenario, cutJournal, type Scenario, work} from '../../support/scenario.ts';
import {folderWith, journalIn} from '../../support/stage.ts';
import {append, attempt, closed, opened, settled} from '../journal/entries.ts';

const dayMs = 86_400_000;

let statsFolder: string;

function recorded(): Journal {
  unpackBefore(join(statsFolder, 'journal.db'));
  return journalIn(statsFolder);
}

async function endedAgain(): Promise<Journal> {
  const journal = createMemoryJournal();
  await endAgain(recorded(), journal, statsFolder);
  return journal;
}

function sum(models: readonly ModelFigures[], name: 'calls' | 'inputTokens' | 'outputTokens') {
  return models.reduce((total, model) => total + model[name], 0);
}

async function finished({start}: Pick<Scenario, 'start'>): Promise<string> {
  const run = start();
  await run.result;
  return run.id;
}

describe('the figures', () => {
  beforeEach(() => {
    statsFolder = folderWith();
  });

  describe('over recorded runs of every form', () => {
    test('the figures equal numbers counted by hand', async () => {
      const {total, open, older} = await collectStats(await endedAgain());

      expect({open, older}).toEqual({open: 10, older: 0});
      expect(total.statuses).toEqual({completed: 10, failed: 1, rejected: 1});
      expect(total).toMatchObject({
        runs: 12,
        partial: 0,
        // Six agent runs have ended. `agent-decided` and `agent-refused` revised their plans once before a person was asked.
        plans: 6,
        plannedRuns: 6,
        revisions: 2,
        replans: 0,
        toolFailures: 1,
      });
    });

    test('calls and tokens add up to the usage in the results', async () => {
      const journal = await endedAgain();
      const {total} = await collectStats(journal);
      const read = Object.values(beforeForms).map(
        async ({id}) => resultIn((await journal.log.salvage(id)).entries)?.usage,
      );
      const usages = (await Promise.all(read)).filter((usage) => usage !== undefined);
      const used = (name: 'modelCalls' | 'inputTokens' | 'outputTokens') =>
        usages.reduce((all, usage) => all + usage[name], 0);

      expect(usages).toHaveLength(12);
      expect(sum(total.models, 'calls')).toBe(used('modelCalls'));
      expect(sum(total.models, 'inputTokens')).toBe(used('inputTokens'));
      expect(sum(total.models, 'outputTokens')).toBe(used('outputTokens'));
      expect(total.models.filter(({unpriced}) => unpriced > 0)).toEqual([]);
    });
  });

  test('a run of an earlier version counts with its status and its votes', async () => {
    const {total} = await collectStats(recorded());

    expect(total).toMatchObject({runs: 12, partial: 12, statuses: {completed: 10}, plans: 0});
    expect(total.models).toEqual([]);
    expect(total.seats.map(({seat, rounds}) => [seat, rounds])).toEqual([
      ['a', 13],
      ['b', 13],
      ['c', 13],
    ]);
  });

  test('a run that was cancelled without a replay counts by its status', async () => {
    const whole = createScenario();
    const id = await finished(whole);
    const journal = cutJournal(id, (await whole.journal.log.read(id)).slice(0, 12));
    await append(journal, id, [settled('unknown')], Date.now());
    const {runtime} = createScenario({journal});
    await runtime.cancel(id);
    const {total} = await runtime.stats();

    expect(total).toMatchObject({runs: 1, partial: 1, statuses: {cancelled: 1}, seats: []});
    await runtime.close();
  });

  test('a run with a damaged entry has the figures of its last one', async () => {
    const journal = journalIn(statsFolder);
    const id = await finished(createScenario({journal}));
    const {total} = await collectStats(journal);
    const database = new DatabaseSync(join(statsFolder, 'journal.db'));
    database.exec('UPDATE entries SET at = at + 1 WHERE seq = 3');
    database.close();

    await expect(attempt(() => journal.log.read(id))).rejects.toMatchObject({
      code: 'journal_corrupt',
    });
    expect(total.partial).toBe(0);
    expect((await collectStats(journal)).total).toEqual(total);
  });

  test('a last entry that is not an entry leaves only the status', async () => {
    const journal = journalIn(statsFolder);
    await finished(createScenario({journal}));
    const database = new DatabaseSync(join(statsFolder, 'journal.db'));
    database.exec(
      `UPDATE entries SET body = substr(body, 1, 300) WHERE body LIKE '{"type":"closed"%'`,
    );
    database.close();

    expect((await collectStats(journal)).total).toMatchObject({
      partial: 1,
      statuses: {completed: 1},
      plans: 0,
    });
  });

  describe('of a run in this process', () => {
    test('the figures equal what it performed', async () => {
      const {runtime, performed, start} = createScenario();
      await finished({start});
      const {total} = await runtime.stats();

      expect(total).toMatchObject({
        statuses: {completed: 1},
        plans: 1,
        revisions: 1,
        toolCalls: performed.tools.length,
        toolFailures: 0,
      });
      expect(performed.tools).toHaveLength(4);
      expect(sum(total.models, 'calls')).toBe(performed.models.length);
    });

    test('a run that was resumed is counted as a whole', async () => {
      const journal = createMemoryJournal();
      const hanging = Promise.withResolvers<void>();
      const first = createScenario({
        journal,
        work: async (request) => {
          if (request.purpose !== 'act') return work(request);
          hanging.resolve();
          return await new Promise<never>(() => {});
        },
      });
      const run = first.start();
      await hanging.promise;
      await run.suspend('interrupted');
      const second = createScenario({journal});
      await (
        await second.runtime.resume(run.id)
      ).result;
      const {total} = await second.runtime.stats();

      expect(total).toMatchObject({runs: 1, statuses: {completed: 1}, plans: 1, revisions: 1});
      const {usage} = resultIn(await journal.log.read(run.id)) ?? {};
      expect(sum(total.models, 'calls')).toBe(usage?.modelCalls);
      await Promise.all([first.runtime.close(), second.runtime.close()]);
    });

    test('failures and time-outs are counted for each model', async () => {
      const failures: Record<string, ModelOutcome[]> = {
        'test/worker': [{kind: 'rateLimited', message: 'slow down', retryAfterMs: 1}],
        'test/x': [
          {
            kind: 'network',
            message: 'test/x: no answer within 30 ms (providers.test.first_byte_ms)',
          },
          {kind: 'network', message: 'test/x: the connection was reset'},
        ],
      };
      const failing = (request: ModelRequest): ModelOutcome =>
        failures[request.model]?.shift() ?? work(request);
      const scenario = createScenario({work: failing, config: {limits: {max_model_calls: 60}}});
      await finished(scenario);
      const {total} = await scenario.runtime.stats();
      const of = (name: string) => total.models.find(({model}) => model === name);

      expect(of('test/worker')).toMatchObject({failures: 1, timeouts: 0});
      expect(of('test/x')).toMatchObject({failures: 2, timeouts: 1});
      expect(of('test/y')).toMatchObject({failures: 0, timeouts: 0});
    });

    test('a seat has its votes and its calls, with a failed one', async () => {
      let isDown = true;
      const failing = (request: ModelRequest): ModelOutcome => {
        if (request.model !== 'test/x') return work(request);
        const outcome = isDown ? {kind: 'network' as const, message: 'reset'} : work(request);
        isDown = false;
        return outcome;
      };
      const {runtime, performed, start} = createScenario({work: failing});
      const {reviews = []} = await start().result;
      const {seats, models} = (await runtime.stats()).total;
      const calls = performed.models.filter((call) => call.startsWith('test/x review'));

      expect(seats.map(({seat, rounds}) => [seat, rounds])).toEqual(
        ['x', 'y', 'z'].map((seat) => [seat, reviews.length]),
      );
      expect(seats[0]?.spent).toEqual({
        calls: calls.length,
        inputTokens: (calls.length - 1) * 100,
        outputTokens: (calls.length - 1) * 10,
        costUsd: expect.closeTo((calls.length - 1) * 0.001, 9),
        unpriced: 0,
        estimated: true,
      });
      expect(models.find(({model}) => model === 'test/x')).toMatchObject({
        calls: calls.length,
        failures: 1,
        estimated: 1,
      });
    });

    test('calls that a limit refused are not counted as made', async () => {
      const scenario = createScenario({config: {limits: {max_model_calls: 3}}});
      const run = scenario.start();
      expect((await run.result).status).toBe('limited');
      await scenario.runtime.cancel(run.id);
      const {total} = await scenario.runtime.stats();

      expect(total.statuses).toEqual({cancelled: 1});
      expect(sum(total.models, 'calls')).toBe(3);
    });

    test('costs add up to that of the result', async () => {
      const scenario = createScenario();
      const id = await finished(scenario);
      const {models} = (await scenario.runtime.stats()).total;
      const {usage} = resultIn(await scenario.journal.log.read(id)) ?? {};

      // Each call of these models reports what it cost.
      for (const {calls, costUsd, unpriced} of models) {
        expect(unpriced).toBe(0);
        expect(costUsd).toBeCloseTo(calls * 0.001, 9);
      }
      expect(models.reduce((all, {costUsd}) => all + costUsd, 0)).toBeCloseTo(
        usage?.costUsd ?? 0,
        9,
      );
    });
  });

  test('a fork counts what happened after its point', async () => {
    const {runtime, journal, start} = createScenario();
    const id = await finished({start});
    const before = await runtime.stats();
    const fork = await runtime.fork(id, {at: 'plan.2', workspace: statsFolder});
    await fork.result;
    const {total} = await runtime.stats();

    expect(total.runs).toBe(2);
    expect(total.plans).toBe(1);
    const [whole, all] = [before.total.models, total.models].map((models) => sum(models, 'calls'));
    const {usage} = resultIn(await journal.log.read(fork.id)) ?? {};
    expect(all).toBeGreaterThan(whole ?? 0);
    expect(all).toBeLessThan((whole ?? 0) + (usage?.modelCalls ?? 0));
  });

  test('a fork counts the votes after its point', async () => {
    const {runtime, start} = createScenario();
    const id = await finished({start});
    const fork = await runtime.fork(id, {at: 'task:c', workspace: statsFolder});
    const {reviews = []} = await fork.result;
    const {seats} = (await runtime.stats()).total;

    expect(reviews.map(({kind}) => kind)).toEqual(['plan', 'plan', 'action', 'action', 'action']);
    expect(seats.map(({rounds}) => rounds)).toEqual([8, 8, 8]);
    expect(seats.map(({spent}) => spent?.calls)).toEqual([8, 8, 8]);
  });

  describe('the runs are chosen', () => {
    const at = Date.now();

    async function put(journal: Journal, id: string, days: number, workspace = '/w') {
      const own = {...opened, input: {...opened.input, workspace}};
      await append(journal, id, [own, closed], at - days * dayMs);
    }

    test('by the time of their end, by their folder and up to a limit', async () => {
      const journal = createMemoryJournal();
      await put(journal, 'old', 10);
      await put(journal, 'new', 1);
      await put(journal, 'elsewhere', 1, '/other');
      await append(journal, 'open', [opened], at);

      expect((await collectStats(journal)).total.runs).toBe(3);
      const recent = await collectStats(journal, {since: at - 7 * dayMs});
      expect(recent).toMatchObject({since: at - 7 * dayMs, first: at - dayMs, open: 1});
      expect(recent.total.runs).toBe(2);
      expect((await collectStats(journal, {workspace: '/other'})).total.runs).toBe(1);
      expect(await collectStats(journal, {since: at + dayMs})).not.toHaveProperty('first');
      const newest = await collectStats(journal, {limit: 1, workspace: '/w'});
      expect(newest).toMatchObject({first: at - dayMs, open: 1, older: 1, total: {runs: 1}});
    });

    test('an erased run is not counted any more', async () => {
      const {runtime, start} = createScenario();
      const [gone] = [await finished({start}), await finished({start})];
      expect((await runtime.stats()).total.runs).toBe(2);
      await runtime.rate(gone, {rating: 'up'});
      await runtime.erase(gone);

      expect((await runtime.stats()).total).toMatchObject({runs: 1, ratedUp: 0});
    });
  });
});

const endedIn = async (journal: Journal) => await finished(createScenario({journal}));

test('the last rating counts, with its words and its time', async () => {
  const journal = createMemoryJournal();
  const id = await endedIn(journal);
  const runtime = createRuntime({journal, env: {}});
  await runtime.rate(id, {rating: 'down', words: ' it left the tests in place '});
  expect((await runtime.stats()).total).toMatchObject({ratedUp: 0, ratedDown: 1});
  expect(await journal.reactions?.list(id)).toEqual([
    {interaction: id, kind: 'down', at: expect.any(Number), words: 'it left the tests in place'},
  ]);

  await runtime.rate(id, {rating: 'up'});
  expect((await runtime.stats()).total).toMatchObject({ratedUp: 1, ratedDown: 0});
  expect((await journal.reactions?.list(id))?.[0]).not.toHaveProperty('words');
});

test('an unknown run, an open run and words that are too long are refused', async () => {
  const journal = createMemoryJournal();
  await append(journal, 'open', [opened], 1);
  await append(journal, 'ended', [opened, closed], 2);
  const {rate} = createRuntime({journal, env: {}});

  await expect(rate('nobody', {rating: 'up'})).rejects.toMatchObject({code: 'not_found'});
  await expect(rate('open', {rating: 'up'})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('run open has not ended'),
  });
  await expect(rate('ended', {rating: 'up', words: 'w'.repeat(2_001)})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('2000 characters'),
  });
  expect(journal.reactions?.list()).toEqual([]);
});

test('known secrets in the words are masked', async () => {
  const journal = createMemoryJournal();
  await append(journal, 'a', [opened, closed], 1);
  const secret = 'sk-canary-1f0c9a7be24d';
  const {rate} = createRuntime({journal, env: {OPENAI_API_KEY: secret}});
  await rate('a', {rating: 'down', words: `it printed ${secret}`});

  expect(JSON.stringify(journal.reactions?.list('a'))).not.toContain(secret);
});

test('no later run of the session, and no export, contains the words', async () => {
  const journal = createMemoryJournal();
  const prompts: string[] = [];
  const first = await endedIn(journal);
  const words = 'lapis lazuli';
  const {runtime} = createScenario({
    journal,
    work: (request) => {
      prompts.push(JSON.stringify(request));
      return {kind: 'ok', text: 'fine', calls: []};
    },
  });
  await runtime.rate(first, {rating: 'down', words});
  const place = {workspace: folderWith(), session: first};
  await runtime.start({form: 'agent', request: 'Do it better', ...place}).result;
  expect(prompts.join('\n')).toContain('Change the thing');
  expect(prompts.join('\n')).not.toContain(words);

  const lines = await Array.fromAsync(runtime.export(first));
  expect(lines.join('\n')).not.toContain(words);
});

test('the words of an erased run are gone from the bytes of the journal', async () => {
  const folder = folderWith();
  const journal = journalIn(folder);
  const id = await endedIn(journal);
  const runtime = createRuntime({journal, env: {}});
  await runtime.rate(id, {rating: 'down', words: 'lapis lazuli'});
  const isKept = (): boolean =>
    readdirSync(folder)
      .filter((name) => name.startsWith('journal.db'))
      .some((name) => readFileSync(join(folder, name)).includes('lapis lazuli'));
  expect(isKept()).toBe(true);

  await runtime.erase(id);
  expect(isKept()).toBe(false);
});

test('an undo that takes something back is counted once, a preview is not', async () => {
  const workspace = folderWith();
  const journal = createMemoryJournal();
  const runtime = createRuntime({journal, env: {}});
  const command = `echo hello > ${join(workspace, 'hello.txt')}`;
  writeFileSync(join(workspace, 'other.txt'), 'mine');
  const run = runtime.start({form: 'command', request: command, workspace});
  await run.result;
  await runtime.undo(run.id, {dryRun: true});
  expect((await runtime.stats()).total.undone).toBe(0);

  const {files} = await runtime.undo(run.id);
  expect(files).toMatchObject([{path: 'hello.txt', outcome: 'removed'}]);
  await runtime.undo(run.id);
  expect((await runtime.stats()).total).toMatchObject({runs: 1, undone: 1});
});
