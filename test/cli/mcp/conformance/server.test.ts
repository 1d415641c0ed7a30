/** The endpoint of `quorate serve` before the official suite. Needs a package registry, so only in a deep search. */

import {beforeAll, describe, expect, it} from 'vitest';

import {
  type Baseline,
  type Revision,
  revisions,
  runConformance,
  suite,
} from '../../../support/conformance.ts';
import {isDeep} from '../../../support/depth.ts';
import {fetchMs, fetchPackages} from '../../../support/published.ts';
import {serveTestTools} from './endpoint.ts';

const undeclared: Baseline = {
  'no capability of resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
  ],
  'no capability of prompts': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'no capability of completions': ['completion-complete'],
};

const baselines: Readonly<Record<Revision, Baseline>> = {
  '2025-11-25': {
    ...undeclared,
    'no capability of subscriptions': ['resources-subscribe', 'resources-unsubscribe'],
    'no capability of logging': ['logging-set-level', 'tools-call-with-logging'],
    'no sampling, which is deprecated': ['tools-call-sampling'],
    'over HTTP there are no sessions, so a client of this revision can be asked over stdio only': [
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'server-sse-polling',
      'server-sse-multiple-streams',
    ],
  },
  '2026-07-28': {
    ...undeclared,
    'errors and caching of resources and prompts': ['sep-2164-resource-not-found', 'caching'],
    'no sampling and no roots, which are deprecated': [
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-multiple-input-requests',
      'input-required-result-capability-check',
    ],
    'a question during prompts/get': ['input-required-result-non-tool-request'],
  },
};

describe.runIf(isDeep)('the conformance suite', () => {
  beforeAll(async () => await fetchPackages(suite), fetchMs);

  it.for(revisions)('passes for a server in revision %s', {timeout: 300_000}, async (revision) => {
    await using served = await serveTestTools();
    const args = ['--url', served.url, '--suite', 'all', '--spec-version', revision];
    const outcome = await runConformance('server', args, baselines[revision]);
    expect(outcome).toMatchObject({exitCode: 0, summary: expect.stringContaining('tools-list')});
  });
});
