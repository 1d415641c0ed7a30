/** The life of a run: its events, its decisions, its opening, its suspension and its end. */

import {once} from 'node:events';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';

import {describe, expect, test, vi} from 'vitest';
import {z} from 'zod';

import {peekRun} from '../../actors/history/peek.ts';
import {createMemoryJournal, type RuntimeOptions, type Run} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {asJson} from '../../machines/domain/json.ts';
import type {ModelOutcome} from '../../machines/domain/model.ts';
import {addUsage, noUsage} from '../../machines/domain/result.ts';
import {defineTool} from '../../tools/index.ts';
import {
  answer,
  createScenario,
  cutJournal,
  laterJournal,
  type Scenario,
  work,
} from '../support/scenario.ts';
import {folderWith, follow, journalIn, setStage} from '../support/stage.ts';
import {appendEntries} from './journal/entries.ts';

const collect = async (run: Run) => (await follow(run)).events;

describe('the events of a run', () => {
  test('are received by any number of listeners, also by one that begins after the end', async () => {
    const run = createScenario().start();
    const [first, second] = await Promise.all([collect(run), collect(run)]);
    expect(first.at(-1)?.type).toBe('result');
    expect(second).toEqual(first);
    const late = await collect(run);
    expect(late).toEqual(first.filter(({type}) => type !== 'model.delta'));
  });

  test('name the reporting actor by its path', async () => {
    const events = await collect(createScenario().start());
    const called = events.find((event) => event.type === 'tool.called' && event.task === 'a');
    expect(called?.actor).toMatch(/^interaction\/form\/.*task:a\/.*call/);
    expect(events.at(-1)).toMatchObject({type: 'result', actor: ''});
  });

  test('have the usage of each call of a model, its actor, and the usage of the whole run', async () => {
    const config = {
      prices: {'test/worker': {input: 1, output: 10}, 'test/x': {input: 2, output: 20}},
    };
    const events = await collect(createScenario({config}).start());
    const usages = events.flatMap((event) => (event.type === 'usage' ? [event] : []));
    const result = events.at(-1);
    const spent = usages.map((event) => event.spent).reduce(addUsage, noUsage);
    expect(result).toMatchObject({type: 'result', usage: usages.at(-1)?.totals});
    const costUsd: number = expect.closeTo(spent.costUsd ?? Number.NaN, 9);
    expect(usages.at(-1)?.totals).toEqual({...spent, costUsd});
    const acting = usages.filter(({actor}) => /task:c\/turns\//.test(actor));
    expect(acting.length).toBeGreaterThan(0);
    expect(usages.filter(({actor}) => actor === '')).toEqual([]);
  });

  test('reach the callback in the options, and its signal cancels the run', async () => {
    const {runtime} = createScenario({
      work: (request) => (request.purpose === 'act' ? new Promise(() => {}) : work(request)),
    });
    const controller = new AbortController();
    const types: string[] = [];
    const run = runtime.start({
      form: 'agent',
      request: 'x',
      workspace: import.meta.dirname,
      signal: controller.signal,
      onEvent: ({type}) => {
        types.push(type);
        if (type === 'task.started') controller.abort();
      },
    });
    expect(await run.result).toMatchObject({status: 'cancelled'});
    expect(types.at(-1)).toBe('result');
  });
});

describe('decisions of the charts', () => {
  test('are in the journal before a listener receives them, for an audit without a replay', async () => {
    const {runtime, journal, start} = createScenario();
    const run = start();
    for await (const event of run.events) {
      if (event.type !== 'quorum.decided') continue;
      const notes = (await journal.log.read(run.id)).flatMap((entry) =>
        entry.type === 'noted' ? [entry.note] : [],
      );
      expect(notes).toContainEqual(
        expect.objectContaining({
          type: 'quorum.decided',
          actor: event.actor,
          verdict: event.verdict,
          votes: event.votes,
        }),
      );
    }
    const {reviews} = await run.result;
    const entries = await runtime.entries(run.id);
    const decided = entries.filter(
      (entry) => entry.type === 'noted' && entry.note['type'] === 'quorum.decided',
    );
    expect(decided.length).toBe(reviews?.length);
  });

  test('are recorded and reported on resume when the process died before it wrote them', async () => {
    const scenario = createScenario();
    const whole = scenario.start();
    await whole.result;
    const entries = await scenario.runtime.entries(whole.id);
    const index = entries.findIndex((entry) => entry.type === 'noted');
    const again = createScenario({journal: cutJournal(whole.id, entries.slice(0, index))});
    const run = await again.runtime.resume(whole.id);
    const types = (await collect(run)).map(({type}) => type);
    expect(types.slice(0, 2)).toContain('quorum.decided');
    const notes = (await again.runtime.entries(whole.id)).filter(({type}) => type === 'noted');
    expect(notes.length).toBe(entries.filter(({type}) => type === 'noted').length);
  });
});

describe('an event that is sent to a run', () => {
  test('is refused as usage when the run does not have such an event', async () => {
    const run = createScenario().start();
    for (const event of [{type: 'xstate.stop'}, {type: 'user.cancel', why: 1n}, 'x', undefined]) {
      expect(() => Reflect.apply(run.send, run, [event])).toThrow(
        expect.objectContaining({code: 'usage'}),
      );
    }
    expect(await run.result).toMatchObject({status: 'completed'});
  });
});

describe('a run that cannot be replayed', () => {
  test('with another version of the charts is cancelled with the data in its journal', async () => {
    const {id, entries} = await recorded();
    const kept = entries
      .slice(0, 6)
      .map((entry) =>
        entry.type === 'settled' ? Object.assign({}, entry, {key: `${entry.key}-of-old`}) : entry,
      );
    const {runtime} = createScenario({journal: cutJournal(id, kept)});
    await expect(runtime.resume(id)).rejects.toMatchObject({code: 'divergence'});
    const result = await runtime.cancel(id);
    expect(result).toMatchObject({status: 'cancelled', exitCode: 1, interaction: id});
    expect((await runtime.interactions())[0]).toMatchObject({id, status: 'cancelled'});
    await expect(runtime.resume(id)).rejects.toMatchObject({code: 'not_found'});
  });

  test.each([5, 0])(
    'because its journal is damaged at entry %i is cancelled with the remaining entries',
    async (seq) => {
      const {id, entries} = await recorded();
      const runtime = await damaged({id, entries: entries.slice(0, 8)}, seq);
      await expect(runtime.resume(id)).rejects.toMatchObject({code: 'journal_corrupt'});
      expect((await runtime.salvage(id)).entries).toHaveLength(seq);
      expect(await runtime.cancel(id)).toMatchObject({status: 'cancelled', form: 'agent'});
      expect((await runtime.interactions())[0]?.status).toBe('cancelled');
    },
  );

  test('because its journal is damaged keeps its result when it had ended', async () => {
    const whole = await recorded();
    const runtime = await damaged(whole, 5);
    await expect(runtime.cancel(whole.id)).rejects.toMatchObject({code: 'not_found'});
    expect((await runtime.interactions())[0]?.status).toBe('completed');
  });
});

describe('the running time', () => {
  test('does not depend on the wall clock', async () => {
    const now = Date.now;
    const jump = vi.spyOn(Date, 'now');
    try {
      let calls = 0;
      jump.mockImplementation(() => now() + (calls++ > 20 ? 3_600_000 : 0));
      const result = await slow({limits: {timeout_ms: 60_000}}).start().result;
      expect(result.status).toBe('completed');
    } finally {
      jump.mockRestore();
    }
  });

  test('continues over suspends and resumes', async () => {
    const {runtime, start} = slow({limits: {timeout_ms: 150}});
    let run = start();
    await run.opened;
    for (let round = 0; round < 20; round += 1) {
      const ended = await Promise.race([
        run.result.then(({status}) => status),
        new Promise((resolve) => setTimeout(resolve, 40, undefined)),
      ]);
      if (ended !== undefined) break;
      await run.suspend('interrupted');
      if ((await run.result).status !== 'waiting') break;
      run = await runtime.resume(run.id);
    }
    expect(await run.result).toMatchObject({status: 'limited', exitCode: 3});
  });
});

describe('a suspend', () => {
  test('records the call that it aborts, and the question about the doubt says so', async () => {
    const began = Promise.withResolvers<undefined>();
    const prove = defineTool({
      name: 'prove',
      description: 'Proves.',
      parameters: z.strictObject({}),
      run: async (_, {signal}) => {
        began.resolve(undefined);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}));
        return {kind: 'cancelled', message: 'half'};
      },
    });
    const {runtime, start} = setStage({
      folder: import.meta.dirname,
      tasks: [{id: 'a', description: 'prove it', tool: 'prove', args: {}}],
      config: {agent: {review_models: ['t/a'], hil_mode: 'interactive'}},
      tools: [prove],
    });
    const first = start('prove');
    await began.promise;
    await first.suspend('interrupted');
    const run = await runtime.resume(first.id);
    for await (const event of run.events) {
      if (event.type !== 'human.requested') continue;
      expect(event.question.reason).toContain('interrupted when the run was suspended');
      run.send({type: 'human.decided', decision: 'done'});
    }
    expect(await run.result).toMatchObject({status: 'completed'});
  });
});

test('a runtime does not close a journal that it was given', async () => {
  const journal = createMemoryJournal();
  const first = createScenario({journal});
  await first.start().result;
  await first.runtime.close();
  const second = createScenario({journal});
  expect(await second.start().result).toMatchObject({status: 'completed'});
  expect(asJson(await second.runtime.interactions())).toHaveLength(2);
});

/** A runtime over the entries, with damage at one of them. */
async function damaged({id, entries}: Awaited<ReturnType<typeof recorded>>, seq: number) {
  const folder = folderWith();
  const journal = journalIn(folder);
  await appendEntries(journal, id, entries);
  const database = new DatabaseSync(join(folder, 'journal.db'));
  database.exec(`UPDATE entries SET at = at + 1 WHERE seq = ${seq}`);
  database.close();
  return createScenario({journal}).runtime;
}

async function recorded() {
  const scenario = createScenario();
  const run = scenario.start();
  await run.result;
  return {id: run.id, entries: await scenario.runtime.entries(run.id)};
}

function slow(config: RuntimeOptions['config']): Scenario {
  return createScenario({
    config: {...config},
    work: async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return work(request);
    },
  });
}

test('a closed runtime starts and resumes nothing', async () => {
  const {id, entries} = await recorded();
  const {runtime, start, performed} = createScenario({
    journal: cutJournal(id, entries.slice(0, 6)),
  });
  await runtime.close();

  expect(() => start()).toThrow(expect.objectContaining({code: 'usage'}));
  await expect(runtime.resume(id)).rejects.toMatchObject({code: 'usage'});
  expect(performed).toEqual({models: [], tools: []});
});

/** A journal whose ownership calls wait until `letGo`; with `isDeaf` they ignore their abort signals. */
function lockedJournal({isDeaf = false} = {}): {
  readonly journal: Journal;
  readonly letGo: () => void;
} {
  const journal = createMemoryJournal();
  const {promise: free, resolve: letGo} = Promise.withResolvers<undefined>();
  const own: Journal['owners']['own'] = async (interaction, signal) => {
    const isAbortable = signal && !isDeaf;
    if (!isAbortable) await free;
    else if (!signal.aborted) await Promise.race([free, once(signal, 'abort')]);
    if (!isDeaf) signal?.throwIfAborted();
    return journal.owners.own(interaction);
  };
  return {journal: {...journal, owners: {...journal.owners, own}}, letGo: () => letGo(undefined)};
}

describe('a run that is suspended while it opens', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'can be resumed, after %i turns of the event loop',
    async (turns) => {
      let isSuspended = false;
      const {runtime, start} = createScenario({
        work: (request) => (isSuspended ? work(request) : new Promise(() => {})),
      });
      const run = start();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await run.suspend('interrupted');
      isSuspended = true;
      expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130});
      expect((await runtime.entries(run.id))[0]).toMatchObject({type: 'opened'});
      expect(await (await runtime.resume(run.id)).result).toMatchObject({status: 'completed'});
    },
  );

  test.each([0, 1])(
    'ends at once while its journal is locked, after %i turns of the event loop, and leaves nothing',
    async (turns) => {
      const {journal} = lockedJournal();
      const scenario = createScenario({journal});
      const run = scenario.start();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await run.suspend('interrupted');
      expect(await run.result).toMatchObject({
        status: 'cancelled',
        exitCode: 130,
        summary: 'Interrupted before the run was open: nothing was done.',
      });
      await expect(run.opened).rejects.toThrow(/aborted/);
      expect(await scenario.runtime.entries(run.id)).toEqual([]);
    },
  );

  test('does nothing afterwards, however late the journal answers', async () => {
    const {journal, letGo} = lockedJournal({isDeaf: true});
    const scenario = createScenario({journal, work: () => answer('nothing to know')});
    const run = scenario.start();
    const closed = scenario.runtime.close();
    await setImmediate();
    letGo();
    await closed;
    expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130});
    const {length} = await scenario.runtime.entries(run.id);
    const asked = scenario.performed.models.length;
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(await scenario.runtime.entries(run.id)).toHaveLength(length);
    expect(scenario.performed.models).toHaveLength(asked);
    expect(scenario.performed.tools).toEqual([]);
  });
});

test.each(Array.from({length: 24}, (_, turns) => turns))(
  'a run that is suspended while the journal appends an input continues, after %i turns of the event loop',
  async (turns) => {
    const {runtime, start} = createScenario({journal: laterJournal()});
    const run = start();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await run.suspend('interrupted');
    const {status} = await run.result;
    const {result} = await runtime.resume(run.id);
    expect([status, (await result).status]).toEqual(['waiting', 'completed']);
  },
);

test('a run that is resumed while its runtime closes is suspended with it', async () => {
  const {runtime, start, performed} = createScenario({work: () => new Promise(() => {})});
  const run = start();
  await run.opened;
  await run.suspend('interrupted');
  const resumed = runtime.resume(run.id);
  await runtime.close();
  expect(await (await resumed).result).toMatchObject({status: 'waiting', exitCode: 130});
  const asked = performed.models.length;
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(performed.models).toHaveLength(asked);
});

const planning = 'the call of test/worker (plan) is asked again';

test('a call that a suspension aborted is named, while the run is open and after it resumes', async () => {
  const {promise: never} = Promise.withResolvers<ModelOutcome>();
  let mayAnswer = false;
  const asked = Promise.withResolvers<undefined>();
  const {runtime, journal, start} = createScenario({
    work: async (request) => {
      if (request.purpose !== 'plan' || mayAnswer) return work(request);
      asked.resolve(undefined);
      return await never;
    },
  });
  const run = start();
  await asked.promise;
  expect(run.underWay()).toEqual([planning]);
  await run.suspend('interrupted');
  expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130, aborted: [planning]});
  expect((await peekRun(run.id, await journal.log.read(run.id))).underWay).toEqual([planning]);

  mayAnswer = true;
  const resumed = await runtime.resume(run.id);
  expect(resumed.underWay()).toEqual([planning]);
  const result = await resumed.result;
  expect(result).toMatchObject({status: 'completed'});
  expect(result).not.toHaveProperty('aborted');
});
