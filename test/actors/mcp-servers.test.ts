/** Runs with the tools of MCP servers: votes, recorded definitions, declined questions, the end of servers, and five hundred tools that models find. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {createMemoryJournal, type Journal} from '../../actors/index.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {sumOfTokens} from '../../tools/find/find-tools.ts';
import type {McpServer} from '../../tools/mcp/server.ts';
import {call} from '../support/agent-models.ts';
import {lastText, say, turnOf, use} from '../support/asking.ts';
import {manyTools} from '../support/many-tools.ts';
import {receivedIn, type ReceivedRequest, type Said} from '../support/mock-openai.ts';
import {cutJournal, replyOfAgent, vote} from '../support/scenario.ts';
import {setStage, setWireStage, type Stage} from '../support/stage.ts';
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

/** Replies of a worker, by the number of its earlier replies. */
type Worker = (turn: number, received: ReceivedRequest) => Said;

interface Opening {
  /** Absent: a plan of one task without a tool. */
  readonly task?: object;
  readonly hasServer?: boolean;
  readonly maxTokens?: number;
  readonly journal?: Journal;
}

function isWorker({text, tools}: ReceivedRequest): boolean {
  return text.includes('You carry out one task') && !tools.includes('cast_ballot');
}

/** Plans one task, and approves and accepts everything. */
async function open(
  worker: Worker,
  {task = {}, hasServer = true, maxTokens = 2_000, journal = createMemoryJournal()}: Opening = {},
) {
  const place = createMcpPlace();
  const stage = await setWireStage({
    tasks: [{id: 'work', description: 'Create the invoice', ...task}],
    say: (received) => {
      if (received.model === 'asker') return worker(received.turn, received);
      return isWorker(received) ? worker(received.turn, received) : undefined;
    },
    config: {
      agent: {
        exploration_model: 'mock/worker',
        review_models: ['mock/a'],
        hil_mode: 'auto_reject',
        max_tool_schema_tokens: maxTokens,
      },
      quorum: {screen: []},
      sandbox: {mode: 'off'},
    },
    mcpServers: hasServer ? [place.byHand({tools: manyTools, pageSize: 100}, 'office')] : [],
    journal,
  });
  await stage.runtime.ready({workspace: stage.workspace});
  return {
    ...stage,
    place,
    run: async () => await stage.run('Create the invoice A-17'),
    workers: () => stage.received.filter(isWorker),
  };
}

const tokens = ({definitions}: ReceivedRequest): number =>
  sumOfTokens(definitions.map(({parameters, ...rest}) => ({...rest, schema: parameters})));

const invoice = {invoice_id: 'A-17'};

const saying =
  (...replies: readonly Said[]): Worker =>
  (turn) =>
    replies[turn] ?? {text: 'done'};

const finder = saying(
  call('find_tools', {query: 'create invoice'}),
  call('office__invoice_create', invoice),
  {text: 'The invoice was created.'},
);

/** Calls a tool that it knows by name only: first with wrong arguments. */
const hasty = saying(
  call('office__invoice_create', {invoice_id: 17}),
  call('office__invoice_create', invoice),
  {text: 'The invoice was created.'},
);

const asker = saying(
  call('find_tools', {query: 'ask a question'}),
  call('spawn_ask', {request: 'Which colour?'}),
  {text: 'Blue.'},
);

/** Its child answers, too. */
const spawning: Worker = (turn, received) =>
  received.text.includes('You answer a question') ? {text: 'It is blue.'} : asker(turn, received);

test('of 500 tools a model finds one, calls it after a vote, and its result arrives', async () => {
  const {run, workers, received, place} = await open(finder);
  const result = await run();
  expect(result).toMatchObject({status: 'completed', tasks: [{id: 'work', status: 'succeeded'}]});
  const [first, second, third] = workers();
  expect(first?.tools.filter((name) => name.startsWith('office__'))).toEqual([]);
  expect(first?.definitions.find(({name}) => name === 'find_tools')?.description).toMatch(
    /^Tools of the MCP server office \(500\): office__account_\w+, .* office__ticket_\w+ and \d+ more$/m,
  );
  expect(second?.text).toContain(
    String.raw`- office__invoice_create(invoice_id, reason?): "A tool of the MCP server office, which describes it so: \"Performs create`,
  );
  expect(second?.definitions.at(-1)).toMatchObject({
    name: 'office__invoice_create',
    parameters: {required: ['invoice_id']},
  });
  expect(third?.text).toContain('invoice_create {"invoice_id":"A-17"}');
  const ballotRequest = received.find(({text}) => text.includes('# Proposal (action'));
  expect(ballotRequest?.text).toContain('"invoice_id": "A-17"');
  expect(place.requests('office').filter((line) => line === 'tools/call')).toHaveLength(1);
});

test('each turn begins with the same definitions, within the budget', async () => {
  const {run, workers} = await open(finder);
  await run();
  const [first, ...later] = workers();
  expect(first && tokens(first)).toBeLessThanOrEqual(2_000);
  for (const each of later) {
    expect(each.definitions.slice(0, first?.definitions.length)).toEqual(first?.definitions);
    expect(each.tools).toHaveLength((first?.tools.length ?? 0) + 5);
  }
});

test('the run is replayed and verified, and its prompts are recomputed exactly', async () => {
  const {runtime, run, received} = await open(finder);
  const {interaction} = await run();
  expect(await runtime.replay(interaction)).toMatchObject({differences: []});
  expect(await runtime.verify(interaction)).toMatchObject({holds: true});
  const calls = await runtime.modelCalls(interaction);
  const bodies = calls.map(({body}) => receivedIn(body));
  expect(bodies).toHaveLength(received.length);
  for (const each of received) expect(bodies).toContainEqual(each);
});

test('a run that is resumed after it found tools still has them, without the server', async () => {
  const {runtime, run, workers} = await open(finder);
  const {interaction} = await run();
  const [, second] = workers();
  const entries = await runtime.entries(interaction);
  const end = entries.findIndex(
    (entry) => entry.type === 'settled' && isJsonObject(entry.outcome) && 'found' in entry.outcome,
  );
  expect(end).toBeGreaterThan(0);
  const journal = cutJournal(interaction, entries.slice(0, end + 1));
  const later = await open(finder, {hasServer: false, maxTokens: 5_000, journal});
  await (
    await later.runtime.resume(interaction)
  ).result;
  expect(later.workers()[0]?.definitions).toEqual(second?.definitions);
});

test('a deferred tool that is called at once is voted on and served; wrong arguments bring in its definition', async () => {
  const {run, workers, place} = await open(hasty);
  expect(await run()).toMatchObject({status: 'completed'});
  const [first, second, third] = workers();
  expect(first?.tools).not.toContain('office__invoice_create');
  expect(second?.text).toMatch(/office__invoice_create: invoice_id/);
  expect(second?.tools.at(-1)).toBe('office__invoice_create');
  expect(third?.text).toContain('invoice_create {"invoice_id":"A-17"}');
  expect(place.requests('office').filter((line) => line === 'tools/call')).toHaveLength(1);
});

test('a planner sees the tools that match the request, the names of others, and how many more there are', async () => {
  const {run, received} = await open(finder);
  await run();
  const planner = received.find(({tools}) => tools.includes('create_plan'))?.text ?? '';
  expect(planner).toMatch(
    /\n\noffice__invoice_create: .*"Performs create .*\nArguments: .*"invoice_id"/,
  );
  expect(planner.match(/office__\w+: .*\nArguments: /g)).toHaveLength(5);
  expect(planner).toContain('\n\nwrite_file: ');
  expect(planner).toMatch(
    /More tools, without their arguments\. .*\nTools of the MCP server office \(495\): /,
  );
  expect(planner).not.toContain('find_tools: ');
  expect(planner.length).toBeLessThan(20_000);
});

test('a task that names a deferred tool has its definition from the first turn on', async () => {
  const task = {tool: 'office__ticket_close'};
  const {run, workers} = await open(() => ({text: 'Not now.'}), {task});
  await run();
  expect(workers()[0]?.definitions.at(-1)?.name).toBe('office__ticket_close');
});

test('spawning tools are deferred, found and called', async () => {
  const {run, workers} = await open(spawning, {hasServer: false});
  await run();
  const [first, second, third] = workers();
  expect(first?.tools.filter((name) => name.startsWith('spawn_'))).toEqual([]);
  expect(first?.definitions.find(({name}) => name === 'find_tools')?.description).toMatch(
    /^- spawn_ask: "/m,
  );
  expect(second?.definitions.find(({name}) => name === 'spawn_ask')?.parameters).toMatchObject({
    required: ['request'],
  });
  expect(third?.text).toContain('It is blue.');
});

test('within a larger budget only the tools that start other interactions are deferred', async () => {
  const {run, workers} = await open(saying(), {hasServer: false, maxTokens: 10_000});
  await run();
  const [first] = workers();
  expect(first?.tools.filter((name) => name.startsWith('spawn_'))).toEqual([]);
  expect(first?.definitions.find(({name}) => name === 'find_tools')?.description).toMatch(
    /^- spawn_ask: "/m,
  );
});

test('a question has deferred tools, too', async () => {
  const {start, received} = await open(
    saying(call('find_tools', {query: 'discuss'}), {text: 'It is so.'}),
    {hasServer: false, maxTokens: 1_000},
  );
  await start('Is it so?', {form: 'ask'}).result;
  const [first, second] = received;
  expect(first?.tools).not.toContain('spawn_discuss');
  expect(second?.tools).toContain('spawn_discuss');
});
