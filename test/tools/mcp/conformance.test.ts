/** The connection of runs before the official suite. Needs a package registry, so only in a deep search. */

import {join} from 'node:path';
import process from 'node:process';

import {beforeAll, describe, expect, it} from 'vitest';

import {runConformance, suite} from '../../support/conformance.ts';
import {isDeep} from '../../support/depth.ts';
import {fetchMs, fetchPackages} from '../../support/published.ts';
import {cells} from '../../support/rows.ts';

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
