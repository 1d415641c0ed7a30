/** Runs with servers that check each request as the providers do, also after a kill. */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import {createRuntime, createSqliteJournal, type RuntimeOptions} from '../../../../actors/index.ts';
import type {Entry} from '../../../../actors/journal/journal.ts';
import {createAnthropicModel} from '../../../../actors/model/providers/anthropic.ts';
import {createOpenAiModel} from '../../../../actors/model/providers/openai.ts';
import type {Runtime} from '../../../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../../../machines/facts/progress.ts';
import {defineTool} from '../../../../tools/index.ts';
import {isDeep, sampled} from '../../../support/depth.ts';
import {cutJournal} from '../../../support/scenario.ts';
import {folderWith} from '../../../support/stage.ts';
import {chatDialects} from './chat.ts';
import {messageDialects, responsesDialect} from './messages.ts';
import {
  type Asked,
  type Dialect,
  type Said,
  sealMark,
  startStrict,
  type StrictServer,
} from './server.ts';

const dialects: readonly Dialect[] = [...chatDialects, ...messageDialects, responsesDialect];

function dialectNamed(wanted: string): Dialect {
  const found = dialects.find(({name}) => name === wanted);
  if (found) return found;
  throw new Error(`no dialect ${wanted}`);
}

/** A workspace, a journal, and a server as strict as its provider, whose models `strict/m` and `strict/n` are. */
async function strictWorld(dialect: Dialect, answer: (asked: Asked) => Said) {
  const server = await startStrict(dialect, answer);
  const workspace = folderWith({'a.txt': 'The answer is 42.\n', 'b.txt': 'Nothing.\n'});
  const folder = folderWith();
  let close: (() => Promise<void>) | undefined;
  /** Another runtime on the same journal, as after a restart. */
  const open = async ({config = {}, ...more}: RuntimeOptions = {}): Promise<Runtime> => {
    await close?.();
    const journal = createSqliteJournal(join(folder, 'journal.db'));
    const {agent, ask, limits} = config;
    const model = 'strict/m';
    const roles = {exploration_model: model, decision_model: model, review_models: [model]};
    const runtime = createRuntime({
      env: {},
      journal,
      models: ['m', 'n'].map((name) => modelOf(dialect, server, name)),
      config: {agent: {...roles, ...agent}, ask: {model, ...ask}, ...(limits && {limits})},
      ...more,
    });
    close = async () => {
      await runtime.close();
      await journal.close();
    };
    return runtime;
  };
  onTestFinished(async () => await close?.());
  return {server, workspace, open};
}

function modelOf({api}: Dialect, {url}: StrictServer, model: string) {
  const options = {name: `strict/${model}`, model, apiKey: 'key'};
  if (api === 'messages') return createAnthropicModel({...options, baseUrl: url});
  return createOpenAiModel({...options, baseUrl: `${url}/v1`, api});
}

function call(name: string, args: object): Said {
  return {calls: [{name, args}]};
}

/** Reads two files at once and a third time, writes one if it may, and answers. */
function work({tools, turn}: Asked): Said {
  if (tools.includes('create_plan')) {
    const task = {id: 'note', description: 'Write c.txt', expected_outcome: 'c.txt says 42'};
    return call('create_plan', {objective: 'Write c.txt', reasoning: 'Asked for.', tasks: [task]});
  }
  if (tools.includes('cast_ballot'))
    return call('cast_ballot', {verdict: 'approve', reasons: ['It is right.'], confidence: 0.9});
  if (tools.includes('evaluate_result'))
    return call('evaluate_result', {successful: true, problems: []});
  if (!tools.includes('read_file')) return {text: 'Done: c.txt says 42.'};
  if (turn === 0) {
    const calls = ['a.txt', 'b.txt'].map((path) => ({name: 'read_file', args: {path}}));
    return {text: 'I look at both files.', calls};
  }
  if (turn === 1) return call('read_file', {path: 'a.txt', limit: 1});
  if (turn === 2 && tools.includes('write_file'))
    return call('write_file', {path: 'c.txt', content: '42\n'});
  return {text: 'The answer is 42.'};
}

describe.each(dialects)('$name', (dialect) => {
  /** A server that refuses forced tool use says so once. */
  const refusals = /unforced|forced/.test(dialect.name) ? 1 : 0;

  test('an agent plans, votes, reads, writes and completes', async () => {
    const {server, workspace, open} = await strictWorld(dialect, work);
    const runtime = await open();
    const run = runtime.start({form: 'agent', request: 'Write c.txt', workspace});
    const result = await run.result;
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(join(workspace, 'c.txt'), 'utf8')).toBe('42\n');
    expect(result.reviews?.map(({kind, approved}) => `${kind} ${approved}`)).toEqual([
      'plan true',
      'action true',
    ]);
    expect(server.refusals).toHaveLength(refusals);
  });

  test('a question is answered after several turns', async () => {
    const {server, workspace, open} = await strictWorld(dialect, work);
    const runtime = await open();
    const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
    expect(await run.result).toMatchObject({status: 'completed', answer: 'The answer is 42.'});
    expect(server.refusals).toEqual([]);
  });

  test('a run that another runtime resumes in the middle continues with the state of its model', async () => {
    const hung = Promise.withResolvers<void>();
    let isFirst = true;
    const {server, workspace, open} = await strictWorld(dialect, (asked: Asked): Said => {
      const isMiddle = asked.tools.includes('write_file') && asked.turn === 2;
      if (!isMiddle || !isFirst) return work(asked);
      isFirst = false;
      hung.resolve();
      return 'hang';
    });
    const first = await open();
    const {id} = first.start({form: 'agent', request: 'Write c.txt', workspace});
    await hung.promise;
    const second = await open();
    const {bodies} = server;
    const cut = bodies.at(-1);
    const resumed = await second.resume(id);
    expect(await resumed.result).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(join(workspace, 'c.txt'), 'utf8')).toBe('42\n');
    expect(bodies.filter((body) => body === cut)).toHaveLength(2);
    expect(server.refusals.length).toBeLessThanOrEqual(2 * refusals);
  });
});

const turns = 100;

const tick = defineTool({
  name: 'tick',
  description: 'Counts.',
  parameters: z.strictObject({turn: z.number()}),
  risk: 'low',
  repeatability: 'repeatable',
  run: async ({turn}) => await Promise.resolve({kind: 'succeeded', text: `tick ${turn}`}),
});

const options = {
  tools: [tick],
  config: {
    agent: {max_tool_turns: turns + 1, review_models: ['policy/safety']},
    limits: {max_model_calls: 2 * turns},
  },
};

function count(asked: Asked): Said {
  const {tools, turn} = asked;
  if (!tools.includes('tick')) return work(asked);
  return tools.includes('write_file') && turn < turns ? call('tick', {turn}) : {text: 'counted'};
}

const killDialects = ['gemini', 'deepseek', 'anthropic', 'responses'];

/** The first and the last entries, and some between them. In a deep search, the dialects together have every entry. */
function cutsOf(entries: readonly Entry[], name: string): number[] {
  const near = 4;
  const [every, from] = isDeep ? [killDialects.length, killDialects.indexOf(name)] : [47, 0];
  return [...entries.keys()].filter(
    (at) => at > 0 && (at < near || at >= entries.length - near || at % every === from),
  );
}

test.each(sampled(killDialects, 3))('%s', {timeout: 300_000}, async (name) => {
  let caught: ((body: string) => void) | undefined;
  const answer = (asked: Asked): Said => {
    caught?.(asked.body);
    return caught ? 'hang' : count(asked);
  };
  const world = await strictWorld(dialectNamed(name), answer);
  const runtime = await world.open(options);
  const run = runtime.start({form: 'agent', request: 'Count.', workspace: world.workspace});
  expect(await run.result).toMatchObject({status: 'completed', exitCode: 0});
  const whole = [...world.server.bodies];
  const seals = whole.map((body) => new Set(body.match(/sealed-\d+/g)).size);
  expect(Math.max(...seals)).toBe(turns);
  const entries = await runtime.entries(run.id);
  const replies = entries.map(
    (entry) => entry.type === 'settled' && 'calls' in Object(entry.outcome),
  );
  for (const cut of cutsOf(entries, name)) {
    const next = Promise.withResolvers<string>();
    caught = next.resolve;
    const journal = cutJournal(run.id, entries.slice(0, cut));
    const again = await world.open({...options, journal});
    const resumed = await again.resume(run.id);
    const expected = whole[replies.slice(0, cut).filter(Boolean).length];
    const sent = expected === undefined ? (await resumed.result, undefined) : await next.promise;
    expect(sent === expected, `the request after entry ${cut}`).toBe(true);
  }
  expect(world.server.refusals).toEqual([]);
});

test.each(['anthropic', 'deepseek', 'responses'])(
  'the state of %s is in the journal, and in nothing that is shown or judged',
  async (name) => {
    const {server, workspace, open} = await strictWorld(dialectNamed(name), work);
    const runtime = await open();
    const run = runtime.start({form: 'agent', request: 'Write c.txt', workspace});
    const events: ProgressEvent[] = [];
    for await (const event of run.events) events.push(event);
    const result = await run.result;
    const entries = await runtime.entries(run.id);
    expect(JSON.stringify(entries)).toContain(sealMark);
    const inspected = await runtime.inspectEntries(run.id, entries);
    const middle = Math.floor(entries.length / 2);
    const shown = {
      events,
      result,
      inspected,
      moment: await runtime.at(run.id, middle),
      diff: await runtime.diff(run.id, middle, entries.length - 2),
      ballots: server.bodies.filter((body) => body.includes('"cast_ballot"')),
    };
    const leaks = Object.entries(shown).filter(([, value]) =>
      JSON.stringify(value).includes(sealMark),
    );
    expect(leaks.map(([where]) => where)).toEqual([]);
    expect(await runtime.verify(run.id)).toMatchObject({holds: true});
  },
);

test('all ballots of a run are equal up to the cache mark: the plan, the calls and the result', async () => {
  const {server, workspace, open} = await strictWorld(dialectNamed('anthropic'), work);
  const runtime = await open({config: {agent: {require_final_review: true}}});
  await runtime.start({form: 'agent', request: 'Write c.txt', workspace}).result;
  const ballots = server.bodies.filter((body) => body.includes('"name":"cast_ballot"'));
  const beginnings = ballots.map((body) => {
    const {tools, system, messages} = z
      .looseObject({messages: z.array(firstBlock)})
      .parse(JSON.parse(body));
    return JSON.stringify([tools, system, messages[0]?.content[0]]);
  });
  expect(ballots).toHaveLength(3);
  expect(new Set(beginnings).size).toBe(1);
  expect(beginnings[0]).toContain('"cache_control"');
});

const firstBlock = z.looseObject({content: z.array(z.looseObject({type: z.string()}))});

test.each([
  ['gemini', 'Function call is missing a thought_signature', 'skip_thought_signature_validator'],
  ['deepseek', 'must be passed back', '"reasoning_content":" "'],
  ['llamacpp', undefined, undefined],
  ['anthropic', undefined, undefined],
  ['responses', undefined, undefined],
])(
  '%s: a model that continues the conversation of another gets none of its state',
  async (name, refusal, substitute = '') => {
    const {server, workspace, open} = await strictWorld(dialectNamed(name), ({turn}): Said =>
      turn < 4 ? call('read_file', {path: 'a.txt', offset: turn}) : {text: '42'},
    );
    const n = 'strict/n';
    const others = {exploration_model: n, decision_model: n, review_models: [n]};
    const runtime = await open({config: {agent: others}});
    const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
    await run.result;
    const {seq = 0} = (await runtime.entries(run.id)).filter(isTurn)[1] ?? {};
    const before = server.bodies.length;
    server.forget();
    const fork = await runtime.fork(run.id, {at: seq, settings: {ask: {model: 'strict/n'}}});
    expect(await fork.result).toMatchObject({status: 'completed', answer: '42'});
    const [first = '', ...later] = server.bodies.slice(before);
    expect(first).toContain('"model":"n"');
    expect(first).not.toContain(sealMark);
    expect(first).toContain(substitute);
    expect(later.at(-1)).toContain(sealMark);
    expect(server.refusals).toHaveLength(refusal === undefined ? 0 : 1);
    expect(server.refusals.join()).toContain(refusal ?? '');
  },
);

/** A model's reply with calls. */
function isTurn(entry: Entry): boolean {
  return entry.type === 'settled' && JSON.stringify(entry.outcome).includes('"calls":[{');
}

test('state of which a part is masked is dropped, because its provider would reject it', async () => {
  const {server, workspace, open} = await strictWorld(dialectNamed('deepseek'), work);
  writeFileSync(join(workspace, '.env'), `API_TOKEN=${sealMark}1\n`);
  const runtime = await open();
  const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(JSON.stringify(await runtime.entries(run.id))).not.toContain(`${sealMark}1"`);
  expect(server.refusals).toHaveLength(1);
});

test('a model that writes its calls as text is asked once to use the interface, then the failure names the setting', async () => {
  const text = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const {server, workspace, open} = await strictWorld(dialectNamed('openai'), (): Said => ({text}));
  const runtime = await open();
  const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
  const {status, summary, answer} = await run.result;
  expect({status, answer}).toEqual({status: 'error', answer: undefined});
  expect(summary).toContain('--jinja');
  expect(server.bodies).toHaveLength(2);
  expect(server.bodies[1]).toContain('Call the tool through the tool interface');
});
