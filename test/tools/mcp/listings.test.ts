/** Lists of tools as servers send them, and what becomes of them. */

import {describe, expect, it} from 'vitest';

import {asJson, type JsonObject} from '../../../machines/domain/json.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {readListing} from '../../../tools/mcp/listing.ts';
import {serverTools} from '../../../tools/mcp/server-tools.ts';
import type {ServerRecord} from '../../../tools/mcp/server.ts';
import {toolNames} from '../../../tools/mcp/tool-names.ts';
import {createToolbox, type Toolbox} from '../../../tools/toolbox.ts';
import {createMcpPlace, listed, namesOf} from './place.ts';

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
