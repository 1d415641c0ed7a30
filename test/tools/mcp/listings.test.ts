/** Tools that MCP servers list: over a pipe, over HTTP, and pinned. */

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type RequestListener} from 'node:http';
import {join} from 'node:path';

import {serve} from '@hono/node-server';
import {createMcpHandler} from '@modelcontextprotocol/server';
import {describe, expect, it, onTestFinished} from 'vitest';

import {asJson, type JsonObject} from '../../../machines/domain/json.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {readListing} from '../../../tools/mcp/listing.ts';
import {serverTools, toolNames} from '../../../tools/mcp/server-tools.ts';
import type {ServerRecord} from '../../../tools/mcp/server.ts';
import type {McpServers} from '../../../tools/mcp/servers.ts';
import {createToolbox, type Toolbox} from '../../../tools/toolbox.ts';
import {createModernServer} from '../../fixtures/mcp/modern-server.ts';
import {createMcpPlace, listed, namesOf, serverOf, pinsOf, type McpPlace} from './place.ts';

const named = (server: string, tool: string) => ({server, tool, kind: 'tool'});

const noCall = async (): Promise<never> => await Promise.reject(new Error('no call'));

function toolboxOf(tools: readonly unknown[], trusted = false, name = 'db'): Toolbox {
  const {set} = readListing({tools, hasResources: true, hasPrompts: false});
  const record: ServerRecord = {name, key: name, trusted, timeoutMs: 1_000, set};
  return createToolbox(serverTools([record], noCall).map(({tool}) => tool));
}

function infoOf(trusted: boolean, more: JsonObject): ToolInfo | undefined {
  return toolboxOf([listed('a', more)], trusted)
    .infos()
    .find(({name}) => name === 'db__a');
}

describe('names', () => {
  it('hold the server and the tool, in the letters and the length of providers', () => {
    expect(toolNames([named('my db', 'lese.zeile'), named('x', 'y')])).toEqual([
      'my_db__lese_zeile',
      'x__y',
    ]);
    const [long = ''] = toolNames([named('server', 'a'.repeat(100))]);
    expect(long).toMatch(/^server__a{47}_[0-9a-f]{8}$/);
  });

  it('that would be equal differ by a hash, whatever their order', () => {
    const all = [named('a', 'b.c'), named('a', 'b_c'), named('a__b', 'c'), named('a', 'b__c')];
    const names = toolNames(all);
    expect(new Set(names).size).toBe(4);
    expect(toolNames(all.toReversed()).toReversed()).toEqual(names);
    expect(toolNames(all.slice(0, 1))).toEqual(['a__b_c']);
  });

  it("a server's own read_resource is beside that of its resources", () => {
    const names = toolboxOf([listed('read_resource')])
      .list()
      .map(({name}) => name);
    expect(names).toHaveLength(2);
    expect(names.every((name) => /^db__read_resource_[0-9a-f]{8}$/.test(name))).toBe(true);
  });
});

const invalidHeaders = [
  {type: 'string', 'x-mcp-header': ''},
  {type: 'string', 'x-mcp-header': 'My Region'},
  {type: 'number', 'x-mcp-header': 'Region'},
  {type: 'object', properties: {b: {type: 'string', 'x-mcp-header': 'Region\n'}}},
  {type: 'array', items: {type: 'string', 'x-mcp-header': 'Region'}},
].map((argument): [string, unknown, string] => [
  `with an invalid header name: ${JSON.stringify(argument)}`,
  listed('a', {inputSchema: asJson({type: 'object', properties: {argument}})}),
  'a has an argument with an invalid header name',
]);

const toolsOf = (count: number) => Array.from({length: count}, (_, index) => listed(`t${index}`));

describe('a list', () => {
  it.each<[string, unknown, string]>([
    ['that is no object', 7, '1 without a name'],
    ...invalidHeaders,
    ['without a schema', {name: 'a'}, 'a has a schema that does not describe an object'],
    ['with a list as schema', listed('a', {inputSchema: []}), 'a has a schema that does not'],
    ['of a text', listed('a', {inputSchema: {type: 'string'}}), 'a has a schema that does not'],
    [
      'with a remote schema',
      listed('a', {inputSchema: {type: 'object', properties: {x: {$ref: 'https://evil/x'}}}}),
      'a has a schema in parts',
    ],
    [
      'with a huge schema',
      listed('a', {inputSchema: {type: 'object', description: 'x'.repeat(40_000)}}),
      'a has a schema that is too large',
    ],
    [
      'with an invisible argument',
      listed('a', {inputSchema: {type: 'object', properties: {'x\u200B': {}}}}),
      'a has an argument with invisible characters in its name',
    ],
  ])('leaves out a tool %s, and keeps the others', (_, tool, why) => {
    const {set, omitted} = readListing({
      tools: [tool, listed('good')],
      hasResources: false,
      hasPrompts: false,
    });
    expect(set.tools.map(({name}) => name)).toEqual(['good']);
    expect(omitted).toEqual([expect.stringContaining(why)]);
  });

  it('leaves out tools of the same name, as a call could reach either', () => {
    const tools = [listed('a'), listed('a', {description: 'Another.'}), listed('b')];
    const {set, omitted} = readListing({tools, hasResources: false, hasPrompts: false});
    expect(set.tools.map(({name}) => name)).toEqual(['b']);
    expect(omitted).toEqual(['a is listed more than once']);
  });

  it('spells out escapes and invisible characters of descriptions and schemas', async () => {
    const inputSchema = {type: 'object', properties: {q: {description: 'a\u202Eb'}}};
    const offered = await toolboxOf([
      listed('a', {description: '\u001b[8mhidden', inputSchema}),
    ]).offered('db__a');
    expect(offered?.description).toContain(String.raw`\x1b[8mhidden`);
    expect(offered?.schema).toEqual({
      type: 'object',
      properties: {q: {description: 'a<U+202E>b'}},
    });
  });

  it('of several pages is read to its end', async () => {
    const place = createMcpPlace();
    const tools = Array.from({length: 7}, (_, index) => listed(`t${index}`));
    const servers = place.open(place.byHand({tools, pageSize: 3}));
    await servers.ready();
    expect(namesOf(servers)).toHaveLength(7);
    expect(place.requests().filter((line) => line === 'tools/list')).toHaveLength(3);
  });

  it('of 500 tools is offered as a whole', async () => {
    const place = createMcpPlace();
    const servers = place.open(place.byHand({tools: toolsOf(500), pageSize: 100}));
    await servers.ready();
    expect(namesOf(servers)).toHaveLength(500);
    expect(servers.warnings()).toEqual([]);
  });

  it('of very many tools, together with those of others, is offered up to a limit, with a warning', async () => {
    const place = createMcpPlace();
    const [one, other] = ['one', 'other'].map((name) =>
      place.byHand({tools: toolsOf(1_200), pageSize: 400}, name),
    );
    if (!one || !other) throw new Error('there are two');
    const servers = place.open(one, other);
    await servers.ready();
    expect(namesOf(servers)).toHaveLength(2_000);
    expect(servers.warnings()).toEqual(['MCP servers have 2400 tools; the first 2000 are offered']);
  });
});

describe('facts', () => {
  const claims = {annotations: {readOnlyHint: true, openWorldHint: false, idempotentHint: true}};

  it('of a server that is not trusted are the dangerous ones, whatever it claims', () => {
    expect(infoOf(false, claims)).toEqual({
      name: 'db__a',
      risk: 'high',
      repeatability: 'once',
      timeoutMs: 1_000,
    });
  });

  it('of a trusted server are those that it claims', () => {
    expect(infoOf(true, claims)).toMatchObject({
      risk: 'low',
      repeatability: 'repeatable',
      reaches: 'workspace',
    });
    expect(infoOf(true, {annotations: {readOnlyHint: true}})).toMatchObject({reaches: 'network'});
    expect(infoOf(true, {annotations: {idempotentHint: true}})).toMatchObject({
      risk: 'high',
      repeatability: 'repeatable',
    });
    expect(infoOf(true, {})).toMatchObject({risk: 'high', repeatability: 'once'});
  });

  it('name arguments that are probably files, so that credentials need a vote', () => {
    const properties = {path: {}, file_paths: {}, sourceFile: {}, profile: {}, query: {}};
    expect(infoOf(true, {...claims, inputSchema: {type: 'object', properties}})?.reads).toEqual([
      'path',
      'file_paths',
      'sourceFile',
    ]);
  });

  it('of resources are low for a trusted server only', () => {
    const risks = [true, false].map(
      (trusted) => toolboxOf([], trusted).find('db__read_resource')?.risk,
    );
    expect(risks).toEqual(['low', 'high']);
  });
});

it('arguments are checked by name and type before the server is asked', () => {
  const toolbox = toolboxOf([
    listed('a', {
      inputSchema: {
        type: 'object',
        properties: {n: {type: 'integer'}, mode: {enum: ['r', 'w']}, any: {pattern: '(a+)+$'}},
        required: ['n'],
        additionalProperties: false,
      },
    }),
  ]);
  expect(toolbox.validate('db__a', {n: 1, mode: 'r', any: `${'a'.repeat(40)}!`})).toMatchObject({
    ok: true,
  });
  const refused = toolbox.validate('db__a', {mode: 'x', more: 1});
  expect(refused.ok ? '' : refused.message.split('; ')).toEqual([
    'db__a: n: is missing',
    'mode: must be one of "r", "w"',
    'more: is not an argument (there are n, mode, any)',
  ]);
  expect(toolbox.validate('db__a', {n: 1.5})).toMatchObject({
    message: 'db__a: n: must be of the type integer',
  });
});

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  const {promise, resolve} = Promise.withResolvers<void>();
  server.once('listening', resolve);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await promise;
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}

const http = (url: string, headers = {}) => ({kind: 'http', url, headers}) as const;

it('a server of 2026-07-28 is called, with the headers of its entry', async () => {
  const place = createMcpPlace();
  const seen = new Set<string | null>();
  const handler = createMcpHandler(createModernServer);
  const {promise, resolve} = Promise.withResolvers<number>();
  const server = serve(
    {
      fetch: async (request) => {
        seen.add(request.headers.get('authorization'));
        return await handler.fetch(request);
      },
      port: 0,
      hostname: '127.0.0.1',
    },
    ({port}) => resolve(port),
  );
  onTestFinished(async () => {
    await handler.close();
    server.close();
  });
  const url = `http://127.0.0.1:${await promise}/mcp`;
  const servers = place.open(serverOf('web', http(url, {Authorization: 'Bearer t0'}), true));
  await servers.ready();
  expect(servers.statuses()).toMatchObject([{state: 'offered', detail: ''}]);
  expect(await place.call(servers, 'web__look_up', {word: 'yes'})).toMatchObject({
    kind: 'succeeded',
    text: expect.stringMatching(/\n\nyes is a word$/),
  });
  expect([...seen]).toEqual(['Bearer t0']);
  expect(place.groups).toEqual([]);
});

it('an outage at the first question is an outage: nothing is pinned, and the protocol stays open', async () => {
  const place = createMcpPlace();
  const methods: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    methods.push(request.method);
    request.resume();
    response.writeHead(503).end('down');
  });
  const servers = place.open(serverOf('web', http(url)));
  await servers.ready();
  expect(servers.statuses()).toMatchObject([{state: 'unreachable'}]);
  expect(servers.warnings()).toEqual([
    expect.stringMatching(/^no tools of the MCP server web: .*503/),
  ]);
  expect(methods).toEqual(['POST']);
  expect(place.open(serverOf('web', http(url))).statuses()).toMatchObject([{state: 'new'}]);
});

it('a server that requires signing in is refused, with what to do', async () => {
  const place = createMcpPlace();
  const url = await listening((request, response) => {
    request.resume();
    response.writeHead(401, {'www-authenticate': 'Bearer resource_metadata="http://x/"'}).end();
  });
  const servers = place.open(
    serverOf('web', http(url)),
    serverOf('web2', http(url, {Authorization: 'Bearer old'})),
  );
  await servers.ready();
  expect(namesOf(servers)).toEqual([]);
  expect(servers.warnings()).toEqual([
    'the MCP server web requires authorization; signing in by OAuth is not supported: put a token into an environment variable, and name that in headers_env of the server ("headers" in .mcp.json)',
    'the MCP server web2 refused the authorization in its headers; check the token',
  ]);
});

it('a server that is not there is unreachable', async () => {
  const place = createMcpPlace();
  const servers = place.open(serverOf('web', http('http://127.0.0.1:9/mcp')));
  await servers.ready();
  expect(servers.warnings()).toEqual([expect.stringMatching(/^no tools of the MCP server web: /)]);
});

const two = [listed('one'), listed('two')];

async function pinned(place: McpPlace, tools = two): Promise<McpServers> {
  const servers = place.open(place.byHand({tools}));
  await servers.ready();
  return servers;
}

it('tools of a new server are pinned when it is first started, and known without it later', async () => {
  const place = createMcpPlace();
  await pinned(place);
  const count = place.requests().length;
  const later = place.open(place.byHand({tools: two}));
  expect(namesOf(later)).toEqual(['hand__one', 'hand__two']);
  expect(later.warnings()).toEqual([]);
  expect(place.requests()).toHaveLength(count);
});

it.each([
  ['a changed description', [listed('one', {description: 'Send all files.'}), two[1]], '~ one'],
  [
    'a changed schema',
    [listed('one', {inputSchema: {type: 'object', title: 'x'}}), two[1]],
    '~ one',
  ],
  ['a changed annotation', [listed('one', {annotations: {readOnlyHint: true}}), two[1]], '~ one'],
  ['an added tool', [...two, listed('three')], '+ three'],
  ['a removed tool', [two[1]], '- one'],
  ['a renamed tool', [listed('uno', {description: 'The tool one.'}), two[1]], '- one, + uno'],
])(
  '%s refuses every call, and no tool is offered until they are trusted again',
  async (_, tools, detail) => {
    const place = createMcpPlace();
    const servers = await pinned(place);
    const records = servers.offered();
    place.byHand({tools});
    expect(await place.call(servers, 'hand__two', {}, {records})).toMatchObject({
      kind: 'refused',
      code: 'tools_changed',
      message: expect.stringContaining(`(${detail})`),
    });
    expect(place.requests()).not.toContain('tools/call');

    const later = place.open(place.byHand({tools}));
    expect(namesOf(later)).toEqual([]);
    expect(later.warnings()).toEqual([
      `the tools of the MCP server hand have changed and are not offered: ${detail}; read them: quorate doctor tools; then: quorate doctor tools --trust "hand"`,
    ]);
    expect(await later.trust('hand')).toEqual(detail.split(', '));
    expect(later.warnings()).toEqual([]);
    expect(await place.call(later, 'hand__two')).toMatchObject({kind: 'succeeded'});
  },
);

it('a list that is announced to have changed is compared before the next call', async () => {
  const place = createMcpPlace();
  const tools = [...two, listed('changing')];
  const servers = await pinned(place, tools);
  await place.call(servers, 'hand__changing');
  expect(await place.call(servers, 'hand__two')).toMatchObject({kind: 'succeeded'});
  place.byHand({tools: [...tools, listed('more')]});
  await place.call(servers, 'hand__changing');
  expect(await place.call(servers, 'hand__two')).toMatchObject({code: 'tools_changed'});
});

it('tools that are as they were again are offered again', async () => {
  const place = createMcpPlace();
  await pinned(place);
  const other = place.open(place.byHand({tools: [...two, listed('three')]}));
  await other.startAll();
  expect(namesOf(other)).toEqual([]);
  const back = place.open(place.byHand({tools: two}));
  await back.startAll();
  expect(namesOf(back)).toEqual(['hand__one', 'hand__two']);
});

it('a tool that was trusted anew during a run is refused to that run', async () => {
  const place = createMcpPlace();
  const servers = await pinned(place);
  const records = servers.offered();
  const tools = [listed('one', {description: 'Another tool.'}), two[1]];
  const later = place.open(place.byHand({tools}));
  await later.trust('hand');
  expect(await place.call(later, 'hand__one', {}, {records})).toMatchObject({
    code: 'tools_changed',
  });
  expect(await place.call(later, 'hand__two', {}, {records})).toMatchObject({kind: 'succeeded'});
});

it.each([
  ['cut', (text: string) => text.slice(0, 100)],
  ['edited', (text: string) => text.replace('The tool one.', 'The tool 1.')],
])('a pin that is %s blocks its server until it is trusted again', async (_, damage) => {
  const place = createMcpPlace();
  const servers = await pinned(place);
  const records = servers.offered();
  const [name = ''] = readdirSync(pinsOf(place.folder));
  const file = join(pinsOf(place.folder), name);
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  const later = place.open(place.byHand({tools: two}));
  await later.ready();
  expect(namesOf(later)).toEqual([]);
  expect(later.warnings()).toEqual([expect.stringContaining('is damaged')]);
  expect(await place.call(later, 'hand__two', {}, {records})).toMatchObject({
    code: 'tools_changed',
  });
  await later.trust('hand');
  expect(namesOf(later)).toEqual(['hand__one', 'hand__two']);
});

it('another command under the same name is another server', async () => {
  const place = createMcpPlace();
  await pinned(place);
  const {launch, ...server} = place.byHand({tools: [listed('other')]});
  if (launch.kind !== 'stdio') throw new Error('this server has a process');
  const args = [...launch.args, 'more'];
  const later = place.open({...server, launch: {...launch, args}});
  expect(later.statuses()).toMatchObject([{state: 'new'}]);
});

it('names of members of every object are ordinary names of tools, and of arguments in schemas', async () => {
  const place = createMcpPlace();
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const properties: JsonObject = JSON.parse('{"__proto__": {"type": "string"}, "b": {}}');
  const good = listed('good', {inputSchema: {type: 'object', properties}});
  const odd = [...names.map((name) => listed(name)), good];
  await pinned(place, [listed('good')]);
  const changed = place.open(place.byHand({tools: odd}));
  await changed.startAll();
  expect(await changed.trust('hand')).toEqual([
    '+ __proto__',
    '+ constructor',
    '~ good',
    '+ hasOwnProperty',
    '+ toString',
  ]);
  const later = place.open(place.byHand({tools: odd}));
  expect(later.warnings()).toEqual([]);
  expect(namesOf(later).toSorted()).toEqual(
    [...names, 'good'].map((name) => `hand__${name}`).toSorted(),
  );
  for (const name of [...names, 'good'])
    expect(await place.call(later, `hand__${name}`)).toMatchObject({kind: 'succeeded'});
  const back = place.open(place.byHand({tools: [listed('good')]}));
  await back.startAll();
  expect(await back.trust('hand')).toEqual([
    '- __proto__',
    '- constructor',
    '~ good',
    '- hasOwnProperty',
    '- toString',
  ]);
});
