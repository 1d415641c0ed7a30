/** Runs with the tools of MCP servers: votes, recorded definitions, a later process, declined questions, and the end of servers. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import type {Journal} from '../../actors/index.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {McpServer} from '../../tools/mcp/server.ts';
import {lastText, say, turnOf, use} from '../support/asking.ts';
import {cutJournal, replyOfAgent, vote} from '../support/scenario.ts';
import {setStage, type Stage} from '../support/stage.ts';
import {createMcpPlace, listed, type McpPlace, pinsOf, serverOf} from '../tools/mcp/place.ts';

const depth = listed('depth', {annotations: {readOnlyHint: true}});

function measures(request: ModelRequest): ModelOutcome {
  return turnOf(request) === 0 ? use('', ['hand__depth', {at: 'pool'}]) : say(lastText(request));
}

function openWith(
  place: McpPlace,
  servers: readonly McpServer[],
  model: (request: ModelRequest) => ModelOutcome,
  journal?: Journal,
): Stage {
  const folder = join(place.folder, 'work');
  mkdirSync(folder, {recursive: true});
  return setStage({
    folder,
    say: model,
    config: {
      agent: {review_models: ['t/a'], max_replans: 0},
      quorum: {screen: []},
      sandbox: {mode: 'off'},
    },
    mcpServers: servers,
    pinFolder: pinsOf(place.folder),
    ...(journal ? {journal} : {}),
  });
}

const trusted = (server: McpServer): McpServer => ({...server, trusted: true});

test('a question is offered what a trusted server calls reading, and quotes its result as data', async () => {
  const place = createMcpPlace();
  const server = trusted(place.byHand({tools: [depth, listed('fill')]}));
  const {runtime, requests, workspace} = openWith(place, [server], measures);
  await runtime.ready({workspace});
  const result = await runtime.ask('How deep?', {workspace}).result;
  expect(result.answer).toContain('depth {"at":"pool"}');
  expect(requests[0]?.tools).toContain('hand__depth');
  expect(requests[0]?.tools).not.toContain('hand__fill');
});

test('a question is offered nothing of a server that is not trusted, and does not start it', async () => {
  const place = createMcpPlace();
  const server = place.byHand({tools: [depth]});
  await openWith(place, [server], measures).runtime.ready({workspace: place.folder});
  const starts = place.requests().length;
  const {runtime, requests, workspace} = openWith(place, [server], () => say('I do not know.'));
  await runtime.ready({workspace});
  await runtime.ask('How deep?', {workspace}).result;
  expect(requests[0]?.tools).not.toContain('hand__depth');
  expect(place.requests()).toHaveLength(starts);
});

test('a resumed run has its tools without the server: its calls fail, and nothing diverges', async () => {
  const place = createMcpPlace();
  const server = trusted(place.byHand({tools: [depth]}));
  const first = openWith(place, [server], measures);
  await first.runtime.ready({workspace: first.workspace});
  const {interaction} = await first.runtime.ask('How deep?', {workspace: first.workspace}).result;
  const entries = await first.runtime.entries(interaction);
  const replied = entries.findIndex(
    (entry) => entry.type === 'settled' && isJsonObject(entry.outcome) && 'calls' in entry.outcome,
  );
  expect(replied).toBeGreaterThan(0);
  const cut = cutJournal(interaction, entries.slice(0, replied + 1));
  const later = openWith(place, [], () => say('I do not know.'), cut);
  const resumed = await (await later.runtime.resume(interaction)).result;
  expect(resumed).toMatchObject({status: 'completed'});
  expect(resumed.steps?.[0]?.observation).toContain('this configuration has no MCP server hand');
  const replayed = await later.runtime.replay(interaction);
  expect(replayed).toMatchObject({differences: []});
});

test('a server ends with its run', async () => {
  const place = createMcpPlace();
  const server = trusted(
    place.byHand({tools: [listed('place', {annotations: {readOnlyHint: true}})]}),
  );
  const opened = openWith(place, [server], (request) =>
    turnOf(request) === 0 ? use('', ['hand__place', {}]) : say(lastText(request)),
  );
  await opened.runtime.ready({workspace: opened.workspace});
  const {answer: text = ''} = await opened.runtime.ask('Where?', {workspace: opened.workspace})
    .result;
  expect(text).toContain('quorate-server-');
  const pid = Number(/(\d+)\s*$/.exec(text)?.[1]);
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function fills(request: ModelRequest, verdict: 'approve' | 'reject'): ModelOutcome {
  if (request.purpose === 'review-action') return vote(verdict);
  const task = {id: 'fill', description: 'Fill it', tool: 'hand__fill', args: {at: 'pool'}};
  return replyOfAgent(request, {objective: 'Fill', reasoning: 'one call', tasks: [task]});
}

test.each([
  ['approve', 1],
  ['reject', 0],
] as const)(
  'a call of a server that states nothing runs if the panel votes %s',
  async (verdict, calls) => {
    const place = createMcpPlace();
    const server = place.byHand({tools: [listed('fill')]});
    const {runtime, requests, workspace} = openWith(place, [server], (request) =>
      fills(request, verdict),
    );
    await runtime.ready({workspace});
    await runtime.agent('Fill the pool', {workspace}).result;
    const voted = requests.find(({purpose}) => purpose === 'review-action');
    expect(voted?.transcript.messages[0]?.text).toContain('"at": "pool"');
    expect(place.requests().filter((line) => line === 'tools/call')).toHaveLength(calls);
  },
);

test('changed tools are reported once a run, and are not offered', async () => {
  const place = createMcpPlace();
  const first = openWith(place, [place.byHand({tools: [depth]})], measures);
  await first.runtime.ready({workspace: place.folder});
  const server = place.byHand({tools: [depth, listed('more')]});
  await place.open(server).startAll();
  const {runtime, workspace} = openWith(place, [server], () => say('no'));
  await runtime.ready({workspace});
  const run = runtime.ask('How deep?', {workspace});
  const warnings: string[] = [];
  for await (const event of run.events) if (event.type === 'warning') warnings.push(event.message);
  expect(warnings.filter((text) => text.includes('MCP server hand'))).toEqual([
    expect.stringContaining('have changed and are not offered: + more'),
  ]);
});

test('a run cannot bring servers of its own', () => {
  const {runtime} = openWith(createMcpPlace(), [], measures);
  const settings = {mcp: {mine: {command: 'sh'}}};
  expect(() => runtime.start({form: 'ask', request: 'x', settings})).toThrow(
    expect.objectContaining({code: 'usage'}),
  );
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const question = {message: 'How deep?', requestedSchema: {type: 'object', properties: {}}};
const modern = join(import.meta.dirname, '../fixtures/mcp/modern.ts');
const launch = {kind: 'stdio', command: process.execPath, args: [modern], env: {}} as const;

test.each([
  {protocol: 'the older protocol', tool: 'hand__ask', observation: '"code":-32601'},
  {
    protocol: '2026-07-28',
    tool: 'modern__confirm',
    observation: 'do not declare the required capability',
  },
])(
  'a server of $protocol that asks the person is declined, and the run continues',
  async ({tool, observation}) => {
    const place = createMcpPlace();
    const byHand = place.byHand({tools: [listed('ask', {annotations: {readOnlyHint: true}})]});
    const servers = [trusted(byHand), serverOf('modern', launch, true)];
    let calls = 0;
    const {runtime, workspace, run} = openWith(place, servers, () => {
      calls += 1;
      return calls === 1 ? use('', [tool, question]) : say('so it is');
    });
    await runtime.ready({workspace});
    const settings = {agent: {hil_mode: 'interactive'}} as const;
    expect(await run('Measure', {form: 'ask', settings})).toMatchObject({
      status: 'completed',
      answer: expect.stringContaining('so it is'),
      steps: [{observation: expect.stringContaining(observation)}],
    });
  },
);
