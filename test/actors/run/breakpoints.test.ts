/** Breakpoints of whole runs: holds, releases, cancels, suspensions, crashes, and what readers make of the record. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';

import {compareReplay} from '../../../actors/history/compare-replay.ts';
import type {Entry} from '../../../actors/journal/journal.ts';
import type {Run} from '../../../actors/runtime-api.ts';
import {readLaws} from '../../../actors/verify/laws.ts';
import {readRecordedRun} from '../../../actors/verify/recorded-run.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {stopTime} from '../../support/fast-time.ts';
import {createScenario, cutJournal, cutsOf, type Scenario, work} from '../../support/scenario.ts';

/** Resolves when the run is held, with the message of the hold. */
async function untilHeld(run: Run): Promise<string | undefined> {
  const last = run.held()?.effect;
  for await (const event of run.events) {
    const held = run.held();
    if (event.type === 'warning' && event.code === 'held' && held && held.effect !== last)
      return event.message;
  }
  return undefined;
}

function startWith(scenario: Scenario, ...before: readonly string[]): Run {
  const run = scenario.start();
  run.send({type: 'breakpoints.changed', before});
  return run;
}

/** Releases every hold. Resolves with the kinds of their effects. */
async function releaseAll(run: Run): Promise<string[]> {
  const holds: string[] = [];
  for await (const event of run.events) {
    const held = run.held();
    if (event.type !== 'warning' || event.code !== 'held' || !held) continue;
    holds.push(held.tool ?? held.port);
    run.send({type: 'run.released'});
  }
  return holds;
}

function essence({status, tasks, reviews, usage}: RunResult) {
  return {status, usage, tasks, votes: reviews?.map(({title, verdict}) => ({title, verdict}))};
}

function startsOf(entries: readonly Entry[], key: string): number {
  return entries.filter((entry) => entry.type === 'requested' && entry.key === key).length;
}

describe('a breakpoint', () => {
  test('holds the run before a tool call; a release lets this call pass, and the next one is held', async () => {
    const scenario = createScenario();
    const {performed} = scenario;
    const run = startWith(scenario, 'look');
    expect(await untilHeld(run)).toBe(
      'held before look by a breakpoint; release it in the inspector, or suspend the run and resume it',
    );
    const first = run.held();
    expect(first).toMatchObject({port: 'runTool', tool: 'look'});
    expect(performed.tools).toEqual([]);
    run.send({type: 'run.released'});
    await vi.waitFor(() => expect(run.held()).not.toEqual(first));
    await vi.waitFor(() => expect(run.held()).toMatchObject({port: 'runTool', tool: 'look'}));
    expect(performed.tools).toEqual(['look here']);
    run.send({type: 'breakpoints.changed', before: []});
    await vi.waitFor(() => expect(run.breakpoints()).toEqual([]));
    expect(run.held()).toMatchObject({tool: 'look'});
    expect(performed.tools).toEqual(['look here']);
    run.send({type: 'run.released'});
    expect(await run.result).toMatchObject({status: 'completed'});
    expect(run.held()).toBeUndefined();
  });

  test('stops before a question to a person, and nobody is asked meanwhile', async () => {
    const scenario = createScenario({config: {agent: {confirm_execution: true}}});
    const run = startWith(scenario, 'askHuman');
    await untilHeld(run);
    expect(run.held()).toMatchObject({port: 'askHuman'});
    expect(run.gates()).toEqual([]);
    run.send({type: 'run.released'});
    await vi.waitFor(() => expect(run.gates()).toHaveLength(1));
    run.send({type: 'human.decided', decision: 'approve'});
    expect(await run.result).toMatchObject({status: 'completed'});
  });

  test('names a port or a tool of the run', async () => {
    const run = createScenario().start();
    expect(() => run.send({type: 'breakpoints.changed', before: ['proof']})).toThrow(
      /before must be a list of names of ports and tools, not \["proof"\]; there are callModel, runTool, .*prove/,
    );
    expect(() => run.send({type: 'run.released'})).toThrow('the run is not held');
    await run.result;
  });
});

/** Every ballot counts, however slow the machine is. */
const patient = {config: {quorum: {rule: 'unanimous', feedback_grace_ms: 60_000}}} as const;

describe('a run that is held before each call', () => {
  let undisturbed: RunResult;
  let disturbed: RunResult;
  let holds: readonly string[];
  let id: string;
  let entries: readonly Entry[];

  beforeAll(async () => {
    undisturbed = await createScenario(patient).start().result;
    const scenario = createScenario(patient);
    const run = startWith(scenario, 'callModel', 'runTool');
    holds = await releaseAll(run);
    disturbed = await run.result;
    id = run.id;
    entries = await scenario.runtime.entries(id);
  });

  test('ends as an undisturbed run', () => {
    expect(new Set(holds)).toEqual(new Set(['callModel', 'look', 'change', 'prove']));
    expect(essence(disturbed)).toEqual(essence(undisturbed));
  });

  test('is replayed with the same states, and keeps the laws', async () => {
    expect((await compareReplay(id, entries)).differences).toEqual([]);
    expect(readLaws(await readRecordedRun(id, entries)).violations).toEqual([]);
  });

  test('is resumed after a kill at any hold and any kind of entry, and no hold leaves a call in doubt', async () => {
    const held = entries.filter(isHold).map(({seq}) => seq + 1);
    for (const cut of new Set([...held, ...cutsOf(entries)])) {
      const scenario = createScenario({journal: cutJournal(id, entries.slice(0, cut))});
      const run = await scenario.runtime.resume(id);
      const asked: string[] = [];
      for await (const event of run.events) {
        if (event.type !== 'human.requested') continue;
        asked.push(event.question.kind);
        run.send({type: 'human.decided', gate: event.gate, decision: 'retry'});
      }
      expect({cut, status: (await run.result).status}).toEqual({cut, status: 'completed'});
      expect({cut, asked: held.includes(cut) ? asked : []}).toEqual({cut, asked: []});
    }
  });

  test('is forked from a hold, and makes the held call itself', async () => {
    const scenario = createScenario({journal: cutJournal(id, entries)});
    const hold = entries.find(isHold);
    const workspace = mkdtempSync(join(tmpdir(), 'quorate-breakpoints-'));
    onTestFinished(() => rmSync(workspace, {recursive: true}));
    const run = await scenario.runtime.fork(id, {at: hold?.seq ?? 0, workspace});
    expect(await run.result).toMatchObject({status: 'completed'});
    expect(scenario.performed.models[0]).toBe('test/worker explore');
    expect(await scenario.runtime.verify(run.id)).toMatchObject({holds: true});
  });
});

function isHold(entry: Entry): boolean {
  return entry.type === 'received' && entry.event['type'] === 'run.held';
}

describe('during a hold', () => {
  test('a cancel ends the run at once', async () => {
    const scenario = createScenario();
    const run = startWith(scenario, 'prove');
    await untilHeld(run);
    run.send({type: 'user.cancel'});
    expect(await run.result).toMatchObject({status: 'cancelled', exitCode: 1});
    expect(scenario.performed.tools).not.toContain('prove it');
    expect(await scenario.runtime.verify(run.id)).toMatchObject({holds: true});
  });

  test('a suspended run continues when it is resumed, without its breakpoints and without a call in doubt', async () => {
    const scenario = createScenario();
    const run = startWith(scenario, 'prove');
    await untilHeld(run);
    const key = run.held()?.effect ?? '';
    await run.suspend('interrupted');
    expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130});
    expect(startsOf(await scenario.runtime.entries(run.id), key)).toBe(0);
    const resumed = await scenario.runtime.resume(run.id);
    expect(await resumed.result).toMatchObject({status: 'completed'});
    expect(resumed.breakpoints()).toEqual([]);
    expect(startsOf(await scenario.runtime.entries(run.id), key)).toBe(1);
    expect(await scenario.runtime.verify(run.id)).toMatchObject({holds: true});
  });

  test('a run is not suspended, also before it would wait for a model', async () => {
    const scenario = createScenario({
      work: (request) =>
        request.purpose === 'plan' ? {kind: 'auth', message: 'revoked'} : work(request),
    });
    const run = startWith(scenario, 'awaitResume');
    await untilHeld(run);
    expect(run.held()).toMatchObject({port: 'awaitResume'});
    run.send({type: 'run.released'});
    expect(await run.result).toMatchObject({status: 'waiting', error: {code: 'auth'}});
    const warnings: unknown[] = [];
    for await (const event of run.events) if (event.type === 'warning') warnings.push(event.code);
    expect(warnings).toEqual(['held', 'outage']);
  });

  test('a model call does not count as made when the run is resumed', async () => {
    const scenario = createScenario();
    const run = startWith(scenario, 'callModel');
    await untilHeld(run);
    await run.suspend('interrupted');
    const resumed = await scenario.runtime.resume(run.id);
    const {usage} = await resumed.result;
    expect(usage.modelCalls).toBe(scenario.performed.models.length);
  });
});

test('the model calls behind a held one do not count as made either', async () => {
  const scenario = createScenario({
    config: {discuss: {participants: ['mock/a', 'mock/b', 'mock/c']}},
  });
  const run = scenario.runtime.start({form: 'discuss', request: 'Tea or coffee?'});
  run.send({type: 'breakpoints.changed', before: ['callModel']});
  await untilHeld(run);
  await run.suspend('interrupted');
  const resumed = await scenario.runtime.resume(run.id);
  await resumed.result;
  const entries = await scenario.runtime.entries(run.id);
  const events = entries.flatMap((entry) => (entry.type === 'received' ? [entry.event] : []));
  expect(events.find(({type}) => type === 'run.resumed')).toMatchObject({lost: []});
});

test('a run is resumed with breakpoints that hold before anything begins', async () => {
  const scenario = createScenario();
  const run = startWith(scenario, 'prove');
  await untilHeld(run);
  await run.suspend('interrupted');
  const made = scenario.performed.models.length;
  const refused = scenario.runtime.resume(run.id, {breakpoints: ['dance']});
  await expect(refused).rejects.toMatchObject({code: 'usage'});
  const resumed = await scenario.runtime.resume(run.id, {breakpoints: ['runTool', 'callModel']});
  await vi.waitFor(() => expect(resumed.held()).toBeDefined());
  expect([scenario.performed.models.length, scenario.performed.tools.includes('prove it')]).toEqual(
    [made, false],
  );
  resumed.send({type: 'breakpoints.changed', before: []});
  resumed.send({type: 'run.released'});
  expect(await resumed.result).toMatchObject({status: 'completed'});
});

/** Lets a pause of a vote pass, but no time limit of a read, however slow the disk is. */
async function passBriefly(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  vi.advanceTimersByTime(10);
}

describe('with a limit on its running time', () => {
  afterEach(() => void vi.useRealTimers());

  test('a run may be held for longer than the limit', async () => {
    stopTime();
    const hourMs = 3_600_000;
    const ends: string[] = [];
    const scenario = createScenario({config: {limits: {timeout_ms: hourMs}}});
    const run = startWith(scenario, 'prove');
    const ended = run.result.then(({status}) => ends.push(status));
    while (!run.held()) await passBriefly();
    vi.advanceTimersByTime(2 * hourMs);
    run.send({type: 'run.released'});
    while (ends.length === 0) await passBriefly();
    await ended;
    expect(ends).toEqual(['completed']);
  });
});
