/** Five hundred tools of a real server, and models over the wire that see names only until they ask. */

import {expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal, type Journal, type Runtime} from '../../actors/index.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {sumOfTokens} from '../../tools/find/definition.ts';
import {ballot, call, isBallot} from '../support/agent-models.ts';
import {manyTools} from '../support/many-tools.ts';
import {type ReceivedRequest, receivedIn, type Said} from '../support/mock-openai.ts';
import {setUpWire} from '../support/over-the-wire.ts';
import {cutJournal} from '../support/scenario.ts';
import {createMcpPlace, type McpPlace} from '../tools/mcp/place.ts';

const wire = setUpWire();

/** Replies of a worker, by the number of its earlier replies. */
type Worker = (turn: number, received: ReceivedRequest) => Said;

interface Task {
  readonly tool?: string;
  readonly args?: object;
}

/** Plans one task, and approves and accepts everything. */
function agent(worker: Worker, task: Task = {}): (received: ReceivedRequest) => Said {
  return (received) => {
    const {tools, turn, text} = received;
    if (isBallot(received)) return ballot('approve');
    if (tools.includes('create_plan')) {
      const work = {id: 'work', description: 'Create the invoice', ...task};
      return call('create_plan', {objective: 'Invoice', reasoning: 'one step', tasks: [work]});
    }
    if (tools.includes('evaluate_result')) {
      return call('evaluate_result', {successful: true, problems: []});
    }
    return text.includes('You carry out one task') ? worker(turn, received) : {text: 'Nothing.'};
  };
}

interface Opening {
  readonly hasServer?: boolean;
  readonly maxTokens?: number;
  readonly journal?: Journal;
}

interface Opened {
  readonly runtime: Runtime;
  readonly place: McpPlace;
}

async function open(
  answer: (received: ReceivedRequest) => Said,
  {hasServer = true, maxTokens = 2_000, journal = createMemoryJournal()}: Opening = {},
): Promise<Opened> {
  const place = createMcpPlace();
  await wire.serve(answer);
  const runtime = await wire.open({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: ['mock/a'],
        hil_mode: 'auto_reject',
        max_tool_schema_tokens: maxTokens,
      },
      ask: {model: 'mock/asker'},
      quorum: {screen: []},
      sandbox: {mode: 'off'},
    },
    mcpServers: hasServer ? [place.byHand({tools: manyTools, pageSize: 100}, 'office')] : [],
    journal,
  });
  onTestFinished(async () => await runtime.close());
  await runtime.ready({workspace: wire.workspace()});
  return {runtime, place};
}

const run = async ({runtime}: Opened): Promise<RunResult> =>
  await runtime.agent('Create the invoice A-17', {workspace: wire.workspace()}).result;

const workers = (): readonly ReceivedRequest[] =>
  wire
    .received()
    .filter(
      ({text, tools}) => text.includes('You carry out one task') && !tools.includes('cast_ballot'),
    );

const tokens = ({definitions}: ReceivedRequest): number =>
  sumOfTokens(definitions.map(({parameters, ...rest}) => ({...rest, schema: parameters})));

const invoice = {invoice_id: 'A-17'};

const finder: Worker = (turn) =>
  [
    call('find_tools', {query: 'create invoice'}),
    call('office__invoice_create', invoice),
    {text: 'The invoice was created.'},
  ][turn] ?? {text: 'done'};

/** Calls a tool that it knows by name only: first with wrong arguments. */
const hasty: Worker = (turn) =>
  [
    call('office__invoice_create', {invoice_id: 17}),
    call('office__invoice_create', invoice),
    {text: 'The invoice was created.'},
  ][turn] ?? {text: 'done'};

const spawning: Worker = (turn) =>
  [
    call('find_tools', {query: 'ask a question'}),
    call('spawn_ask', {request: 'Which colour?'}),
    {text: 'Blue.'},
  ][turn] ?? {text: 'done'};

/** Its child answers, too. */
function spawner(received: ReceivedRequest): Said {
  return received.text.includes('You answer a question')
    ? {text: 'It is blue.'}
    : agent(spawning)(received);
}

test('of 500 tools a model finds one, calls it after a vote, and its result arrives', async () => {
  const opened = await open(agent(finder));
  const result = await run(opened);
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
  const vote = wire.received().find(({text}) => text.includes('# Proposal (action'));
  expect(vote?.text).toContain('"invoice_id": "A-17"');
  expect(opened.place.requests('office').filter((line) => line === 'tools/call')).toHaveLength(1);
});

test('each turn begins with the same definitions, within the budget', async () => {
  await run(await open(agent(finder)));
  const [first, ...later] = workers();
  expect(first && tokens(first)).toBeLessThanOrEqual(2_000);
  for (const each of later) {
    expect(each.definitions.slice(0, first?.definitions.length)).toEqual(first?.definitions);
    expect(each.tools).toHaveLength((first?.tools.length ?? 0) + 5);
  }
});

test('the run is replayed and verified, and its prompts are recomputed exactly', async () => {
  const {runtime, ...rest} = await open(agent(finder));
  const {interaction} = await run({runtime, ...rest});
  expect(await runtime.replay(interaction)).toMatchObject({differences: []});
  expect(await runtime.verify(interaction)).toMatchObject({holds: true});
  const calls = await runtime.modelCalls(interaction);
  const bodies = calls.map(({body}) => receivedIn(body));
  expect(bodies).toHaveLength(wire.received().length);
  for (const each of wire.received()) expect(bodies).toContainEqual(each);
});

test('a run that is resumed after it found tools still has them, without the server', async () => {
  const opened = await open(agent(finder));
  const {interaction} = await run(opened);
  const [, second] = workers();
  const entries = await opened.runtime.entries(interaction);
  const end = entries.findIndex(
    (entry) => entry.type === 'settled' && isJsonObject(entry.outcome) && 'found' in entry.outcome,
  );
  expect(end).toBeGreaterThan(0);
  const journal = cutJournal(interaction, entries.slice(0, end + 1));
  const later = await open(agent(finder), {hasServer: false, maxTokens: 5_000, journal});
  await (
    await later.runtime.resume(interaction)
  ).result;
  expect(workers()[0]?.definitions).toEqual(second?.definitions);
});

test('a deferred tool that is called at once is voted on and served; wrong arguments bring in its definition', async () => {
  const opened = await open(agent(hasty));
  expect(await run(opened)).toMatchObject({status: 'completed'});
  const [first, second, third] = workers();
  expect(first?.tools).not.toContain('office__invoice_create');
  expect(second?.text).toMatch(/office__invoice_create: invoice_id/);
  expect(second?.tools.at(-1)).toBe('office__invoice_create');
  expect(third?.text).toContain('invoice_create {"invoice_id":"A-17"}');
  expect(opened.place.requests('office').filter((line) => line === 'tools/call')).toHaveLength(1);
});

test('a planner sees the tools that match the request, the names of others, and how many more there are', async () => {
  await run(await open(agent(finder)));
  const planner = wire.received().find(({tools}) => tools.includes('create_plan'))?.text ?? '';
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
  await run(await open(agent(() => ({text: 'Not now.'}), {tool: 'office__ticket_close'})));
  expect(workers()[0]?.definitions.at(-1)?.name).toBe('office__ticket_close');
});

test('spawning tools are deferred, found and called', async () => {
  await run(await open(spawner, {hasServer: false}));
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
  await run(
    await open(
      agent(() => ({text: 'done'})),
      {hasServer: false, maxTokens: 10_000},
    ),
  );
  const [first] = workers();
  expect(first?.tools.filter((name) => name.startsWith('spawn_'))).toEqual([]);
  expect(first?.definitions.find(({name}) => name === 'find_tools')?.description).toMatch(
    /^- spawn_ask: "/m,
  );
});

test('a question has deferred tools, too', async () => {
  const {runtime} = await open(
    ({turn}) => (turn === 0 ? call('find_tools', {query: 'discuss'}) : {text: 'It is so.'}),
    {hasServer: false, maxTokens: 1_000},
  );
  await runtime.ask('Is it so?', {workspace: wire.workspace()}).result;
  const [first, second] = wire.received();
  expect(first?.tools).not.toContain('spawn_discuss');
  expect(second?.tools).toContain('spawn_discuss');
});
