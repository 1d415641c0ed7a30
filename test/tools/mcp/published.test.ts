/** Published servers, by npx: needs a package registry, so only in a deep search. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeAll, describe, expect, it} from 'vitest';

import {isDeep} from '../../support/depth.ts';
import {fetchMs, fetchPackages} from '../../support/published.ts';
import {createMcpPlace, namesOf, serverOf} from './place.ts';

const everything = '@modelcontextprotocol/server-everything@2026.8.31';
const filesystem = '@modelcontextprotocol/server-filesystem@2026.8.31';

const npx = (...args: readonly string[]) =>
  ({kind: 'stdio', command: 'npx', args: ['--prefer-offline', '-y', ...args], env: {}}) as const;

describe.runIf(isDeep)('published servers', () => {
  beforeAll(async () => {
    // One by one: npx finds a package by the set that it was fetched with.
    await fetchPackages(everything);
    await fetchPackages(filesystem);
  }, fetchMs);

  it('server-everything is listed as a whole, and called', async () => {
    const place = createMcpPlace();
    const launch = npx(everything, 'stdio');
    const servers = place.open(serverOf('everything', launch));
    await servers.ready();
    expect(servers.statuses()).toMatchObject([{state: 'offered', omitted: []}]);
    expect(await place.call(servers, 'everything__echo', {message: 'hello'})).toMatchObject({
      kind: 'succeeded',
      text: expect.stringContaining('hello'),
    });
    expect(await place.call(servers, 'everything__read_resource')).toMatchObject({
      kind: 'succeeded',
    });
    expect(await place.call(servers, 'everything__get_prompt')).toMatchObject({kind: 'succeeded'});
  });

  it('server-filesystem reads a file without a vote if it is trusted', async () => {
    const place = createMcpPlace();
    writeFileSync(join(place.folder, 'a.txt'), 'forty-two');
    const launch = npx(filesystem, place.folder);
    const servers = place.open(serverOf('files', launch, true));
    await servers.ready();
    expect(namesOf(servers)).toEqual(
      expect.arrayContaining(['files__read_text_file', 'files__write_file']),
    );
    const path = join(place.folder, 'a.txt');
    expect(await place.call(servers, 'files__read_text_file', {path})).toMatchObject({
      kind: 'succeeded',
      text: expect.stringContaining('forty-two'),
    });
  });
});
