/** Published servers, by npx: needs a package registry, so only in a deep search. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, it} from 'vitest';

import {isDeep} from '../../support/depth.ts';
import {createMcpPlace, namesOf, serverOf} from './place.ts';

const npx = (...args: readonly string[]) =>
  ({kind: 'stdio', command: 'npx', args: ['-y', ...args], env: {}}) as const;

describe.runIf(isDeep)('published servers', () => {
  it('server-everything is listed as a whole, and called', {timeout: 120_000}, async () => {
    const place = createMcpPlace();
    const launch = npx('@modelcontextprotocol/server-everything@2026.8.31', 'stdio');
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

  it(
    'server-filesystem reads a file without a vote if it is trusted',
    {timeout: 120_000},
    async () => {
      const place = createMcpPlace();
      writeFileSync(join(place.folder, 'a.txt'), 'forty-two');
      const launch = npx('@modelcontextprotocol/server-filesystem@2026.8.31', place.folder);
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
    },
  );
});
