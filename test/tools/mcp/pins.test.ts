/** Tools of servers are pinned as a set: any change ends the trust in all of them. */

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, it} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {McpServers} from '../../../tools/mcp/servers.ts';
import {createMcpPlace, listed, namesOf, pinsOf, type McpPlace} from './place.ts';

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
