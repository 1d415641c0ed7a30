/** Runs whose MCP servers ask the person: the call continues with the answer, in this process or a later one. */

import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, onTestFinished, test, vi} from 'vitest';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Journal,
  type Runtime,
} from '../../actors/index.ts';
import type {Run} from '../../actors/runtime-api.ts';
import {readLaws} from '../../actors/verify/laws.ts';
import {readRecordedRun} from '../../actors/verify/recorded-run.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import type {McpServer} from '../../tools/mcp/server.ts';
import {lastText, say, turnOf, use} from '../support/asking.ts';
import {replyOfAgent} from '../support/scenario.ts';
import {createMcpPlace, listed, type McpPlace, pinsOf, serverOf} from '../tools/mcp/place.ts';

// A run starts processes; the machine may be busy.
vi.setConfig({testTimeout: 60_000});

const question = {
  message: 'How deep?',
  requestedSchema: {
    type: 'object',
    properties: {
      level: {type: 'integer', minimum: 1, maximum: 9},
      unit: {type: 'string', enum: ['m', 'ft'], default: 'm'},
    },
    required: ['level'],
  },
};
const modern = join(import.meta.dirname, '../fixtures/mcp/modern.ts');

interface Opened {
  readonly runtime: Runtime;
  readonly workspace: string;
  readonly start: () => Run;
}

interface Opening {
  readonly place: McpPlace;
  readonly server: McpServer;
  readonly journal: Journal;
  readonly model: (request: ModelRequest) => ModelOutcome;
  readonly form?: 'ask' | 'agent';
  readonly hilMode?: HilMode;
}

async function open({
  place,
  server,
  journal,
  model,
  form = 'ask',
  hilMode,
}: Opening): Promise<Opened> {
  const workspace = join(place.folder, 'work');
  mkdirSync(workspace, {recursive: true});
  const role = 'test/m';
  const runtime = createRuntime({
    config: {
      ask: {model: role},
      agent: {
        exploration_model: role,
        decision_model: role,
        review_models: [role],
        hil_mode: hilMode ?? 'interactive',
        max_replans: 0,
      },
      quorum: {screen: []},
      sandbox: {mode: 'off'},
    },
    models: [createFunctionModel(role, model)],
    mcpServers: [server],
    pinFolder: pinsOf(place.folder),
    journal,
    env: {},
  });
  onTestFinished(async () => await runtime.close());
  await runtime.ready({workspace});
  return {runtime, workspace, start: () => runtime.start({form, request: 'Measure', workspace})};
}

/** A question whose model calls a tool of a trusted server and repeats its result. */
const measures = (tool: string, args: JsonObject) => (request: ModelRequest) =>
  turnOf(request) === 0 ? use('', [tool, args]) : say(lastText(request));

/** An agent whose plan is one call of a server that states nothing: it must not be repeated. */
const carriesOut = (tool: string, args: JsonObject) => (request: ModelRequest) => {
  const task = {id: 'a', description: 'Measure it', tool, args};
  return replyOfAgent(request, {objective: 'Measure', reasoning: 'one call', tasks: [task]});
};

function handPlace(trusted: boolean): {readonly place: McpPlace; readonly server: McpServer} {
  const place = createMcpPlace();
  const tools = ['ask', 'capabilities'].map((name) =>
    listed(name, {annotations: {readOnlyHint: true}}),
  );
  return {place, server: {...place.byHand({tools}), trusted}};
}

async function gateOf(run: Run, count = 1): Promise<NonNullable<ReturnType<Run['gates']>[number]>> {
  await vi.waitUntil(() => run.gates().length === count && run.atWork().length === 0, 30_000);
  const [gate] = run.gates();
  if (!gate) throw new Error('no gate is open');
  return gate;
}

/** The outcomes of the tool, as the journal has them. */
async function outcomesIn(runtime: Runtime, id: string): Promise<readonly ToolOutcome['kind'][]> {
  const kinds = ['succeeded', 'failed', 'inDoubt', 'asksPerson', 'refused', 'cancelled'] as const;
  const entries = await runtime.entries(id);
  return entries.flatMap((entry) => {
    if (entry.type !== 'settled' || !/\/run#\d+$/.test(entry.key)) return [];
    const {outcome} = entry;
    return kinds.filter((each) => isJsonObject(outcome) && each === outcome['kind']);
  });
}

const calls = (place: McpPlace): number =>
  place.requests().filter((line) => line === 'tools/call').length;

test('a person answers during a call, which continues; the run is replayed without the server', async () => {
  const {place, server} = handPlace(true);
  const model = measures('hand__ask', {questions: [question]});
  const journal = createMemoryJournal();
  const {runtime, start} = await open({place, server, journal, model});
  const run = start();
  const {question: asked, gate} = await gateOf(run);
  expect(asked).toMatchObject({
    kind: 'server-input',
    reason: 'the MCP server hand asks you something during hand__ask',
    allowed: ['answer', 'reject'],
    input: {server: 'hand', message: 'How deep?'},
  });
  expect(asked.preview).toBe(
    [
      'The MCP server hand asks, in its own words:',
      '> How deep?',
      'It asks for:',
      '- level (required): whole number, at least 1, at most 9',
      '- unit (optional): one of "m", "ft"; default "m"',
      'The answer is sent to hand and kept in the record. Give no password and no key: a server must not ask for one.',
    ].join('\n'),
  );
  const invalid = (content: JsonObject) => () =>
    run.send({type: 'human.decided', decision: 'answer', content});
  expect(invalid({level: 12})).toThrow('the answer is not valid: level: must be at most 9');
  expect(invalid({unit: 'km', depth: 1})).toThrow(
    'there is no field "depth"; there is level, unit; level: a value is required; unit: must be one of "m", "ft"',
  );
  expect(() => run.send({type: 'human.decided', decision: 'approve'})).toThrow(
    'it takes answer, reject',
  );
  run.send({type: 'human.decided', gate, decision: 'answer', content: {level: 3}});
  const result = await run.result;
  expect(result.answer).toContain('{"action":"accept","content":{"level":3,"unit":"m"}}');
  expect(result.decisions).toMatchObject([{by: 'person', decision: 'answer'}]);
  expect(await outcomesIn(runtime, run.id)).toEqual(['asksPerson', 'succeeded']);
  expect(await runtime.replay(run.id)).toMatchObject({differences: []});
  expect(calls(place)).toBe(1);
  expect(await runtime.verify(run.id)).toMatchObject({holds: true});
});

test('values are in no event', async () => {
  const {place, server} = handPlace(true);
  const model = measures('hand__ask', {questions: [question]});
  const {start} = await open({place, server, journal: createMemoryJournal(), model});
  const run = start();
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'answer', content: {level: 7}});
  await run.result;
  const events = [];
  for await (const event of run.events) events.push(event);
  const decided = events.find(({type}) => type === 'human.decided');
  expect(decided).toMatchObject({decision: 'answer', by: 'person'});
  expect(JSON.stringify(decided)).not.toContain('level');
});

test('a person declines: the server is told so, and the call continues', async () => {
  const {place, server} = handPlace(true);
  const model = measures('hand__ask', {questions: [question]});
  const {start} = await open({place, server, journal: createMemoryJournal(), model});
  const run = start();
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'reject'});
  expect((await run.result).answer).toContain('{"action":"decline"}');
});

test.each(['auto_reject', 'auto_approve'] as const)(
  'in mode %s servers are told that nobody answers',
  async (hilMode) => {
    const {place, server} = handPlace(true);
    const model = measures('hand__capabilities', {});
    const journal = createMemoryJournal();
    const {start} = await open({place, server, journal, model, hilMode});
    expect((await start().result).answer).toMatch(/\n\{\}$/);
  },
);

test('auto_reject declines an open question; auto_approve leaves it to the person', async () => {
  const {place, server} = handPlace(true);
  const model = measures('hand__ask', {questions: [question]});
  const {start} = await open({place, server, journal: createMemoryJournal(), model});
  const run = start();
  await gateOf(run);
  run.send({type: 'settings.changed', hilMode: 'auto_approve'});
  await gateOf(run);
  run.send({type: 'settings.changed', hilMode: 'auto_reject'});
  expect((await run.result).answer).toContain('{"action":"decline"}');
});

test('a run that is cancelled while a server asks cancels the call', async () => {
  const {place, server} = handPlace(false);
  const model = carriesOut('hand__ask', {questions: [question]});
  const {start} = await open({place, server, journal: createMemoryJournal(), model, form: 'agent'});
  const run = start();
  await gateOf(run);
  run.send({type: 'user.cancel'});
  expect(await run.result).toMatchObject({status: 'cancelled'});
  await expect.poll(() => place.requests()).toContain('the call was cancelled');
});

test('a record in which a call continues without an answer breaks law 10', async () => {
  const {place, server} = handPlace(false);
  const model = carriesOut('hand__ask', {questions: [question]});
  const journal = createMemoryJournal();
  const {runtime, start} = await open({place, server, journal, model, form: 'agent'});
  const run = start();
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'answer', content: {level: 3}});
  await run.result;
  const recorded = await readRecordedRun(run.id, await runtime.entries(run.id));
  expect(readLaws(recorded).violations).toEqual([]);
  const entries = recorded.entries.filter(
    (entry) => entry.type !== 'noted' || entry.note['decision'] !== 'answer',
  );
  expect(readLaws({...recorded, entries}).violations).toContainEqual(
    expect.objectContaining({law: 10, message: expect.stringContaining('nobody answered')}),
  );
});

test('a call that may be repeated is called again by a later process, and has the same answer', async () => {
  const {place, server} = handPlace(true);
  const journal = createMemoryJournal();
  const model = measures('hand__ask', {questions: [question]});
  const first = (await open({place, server, journal, model})).start();
  await gateOf(first);
  await first.suspend('waiting');
  expect(await first.result).toMatchObject({
    status: 'waiting',
    exitCode: 4,
    waiting: {question: {kind: 'server-input', allowed: ['answer', 'reject']}},
  });
  await expect.poll(() => place.requests()).toContain('the call was cancelled');
  const {runtime} = await open({place, server, journal, model});
  const run = await runtime.resume(first.id);
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'answer', content: {level: 3}});
  expect((await run.result).answer).toContain('{"level":3,"unit":"m"}');
  expect(calls(place)).toBe(2);
});

test('a call that must not be repeated is in doubt then: a person has it repeated, and is not asked twice', async () => {
  const {place, server} = handPlace(false);
  const journal = createMemoryJournal();
  const model = carriesOut('hand__ask', {questions: [question]});
  const opening = {place, server, journal, model, form: 'agent'} as const;
  const first = (await open(opening)).start();
  await gateOf(first);
  await first.suspend('waiting');
  const {runtime} = await open(opening);
  const run = await runtime.resume(first.id);
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'answer', content: {level: 3}});
  await vi.waitUntil(() => run.gates()[0]?.question.kind === 'in-doubt', 30_000);
  expect(run.gates()[0]?.question.reason).toContain(
    ' is in doubt: the MCP server hand was ended before it received the answer. If the call is repeated and the same is asked, it receives the answer.',
  );
  expect(calls(place)).toBe(1);
  run.send({type: 'human.decided', decision: 'retry'});
  const result = await run.result;
  expect(result).toMatchObject({status: 'completed'});
  expect(JSON.stringify(result.tasks)).toContain(String.raw`\"level\":3`);
  expect(calls(place)).toBe(2);
  expect(await outcomesIn(runtime, run.id)).toEqual(['asksPerson', 'inDoubt', 'succeeded']);
  expect(await runtime.replay(run.id)).toMatchObject({differences: []});
  expect(await runtime.verify(run.id)).toMatchObject({holds: true});
});

test('a server of 2026-07-28 continues in a later process, although its call must not be repeated', async () => {
  const place = createMcpPlace();
  const launch = {kind: 'stdio', command: process.execPath, args: [modern], env: {}} as const;
  const journal = createMemoryJournal();
  const model = carriesOut('modern__reserve', {});
  const server = serverOf('modern', launch);
  const opening = {place, server, journal, model, form: 'agent'} as const;
  const first = (await open(opening)).start();
  await gateOf(first);
  await first.suspend('waiting');
  const {runtime} = await open(opening);
  const run = await runtime.resume(first.id);
  await gateOf(run);
  run.send({type: 'human.decided', decision: 'answer', content: {seats: 2}});
  await vi.waitUntil(() => run.gates()[0]?.question.input?.message === 'Sure?', 30_000);
  run.send({type: 'human.decided', decision: 'answer', content: {sure: true}});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(await outcomesIn(runtime, run.id)).toEqual(['asksPerson', 'asksPerson', 'succeeded']);
});

test('a server that asks again and again has its call ended', async () => {
  const {place, server} = handPlace(true);
  const model = measures('hand__ask', {questions: Array.from({length: 9}, () => question)});
  const {start} = await open({place, server, journal: createMemoryJournal(), model});
  const run = start();
  for (let n = 0; n < 5; n += 1) {
    await gateOf(run);
    run.send({type: 'human.decided', decision: 'answer', content: {level: 1}});
  }
  const {steps = []} = await run.result;
  expect(steps[0]?.observation).toContain('ended after 5 questions to the person');
  await expect
    .poll(() => readFileSync(join(place.folder, 'hand.log'), 'utf8'))
    .toContain('cancelled');
});
