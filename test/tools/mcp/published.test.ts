/** Published MCP servers, and the conformance of the client. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';

import {beforeAll, describe, expect, it} from 'vitest';

import {runConformance, suite} from '../../support/conformance.ts';
import {isDeep} from '../../support/depth.ts';
import {fetchMs, fetchPackages} from '../../support/published.ts';
import {cells} from '../../support/rows.ts';
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

const command = `${process.execPath} ${join(import.meta.dirname, '../../fixtures/mcp/conformance-client.ts')}`;

/** All of both revisions but `auth/*` and elicitation: neither is supported. */
const scenarios = {
  '2025-11-25': ['initialize', 'tools_call', 'sse-retry', 'json-schema-2020-12-preservation'],
  '2026-07-28': cells(`
    tools_call ¦ request-metadata ¦ http-standard-headers ¦ http-custom-headers
    http-invalid-tool-headers ¦ json-schema-ref-no-deref ¦ json-schema-2020-12-preservation
  `),
} as const;

const all = Object.entries(scenarios).flatMap(([revision, names]) =>
  names.map((name) => ({revision, name})),
);

describe.runIf(isDeep)('the conformance suite', () => {
  beforeAll(async () => await fetchPackages(suite), fetchMs);

  it.for(all)('passes for a client in revision $revision: $name', async ({revision, name}) => {
    const args = ['--command', command, '--scenario', name, '--spec-version', revision];
    const outcome = await runConformance('client', args);
    expect(outcome).toMatchObject({exitCode: 0, summary: expect.stringContaining('PASSED')});
  });
});
