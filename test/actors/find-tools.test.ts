/** Five hundred tools of a real server, and models over the wire that see names only until they ask. */

import {expect, test} from 'vitest';

import {createMemoryJournal, type Journal} from '../../actors/index.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import {sumOfTokens} from '../../tools/find/definition.ts';
import {call} from '../support/agent-models.ts';
import {manyTools} from '../support/many-tools.ts';
import {receivedIn, type ReceivedRequest, type Said} from '../support/mock-openai.ts';
import {cutJournal} from '../support/scenario.ts';
import {setWireStage} from '../support/stage.ts';
import {createMcpPlace} from '../tools/mcp/place.ts';

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
  const vote = received.find(({text}) => text.includes('# Proposal (action'));
  expect(vote?.text).toContain('"invoice_id": "A-17"');
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
