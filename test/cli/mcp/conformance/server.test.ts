/** Independent clients of the MCP endpoints: the official suite and the inspector. They need a package registry: only in a deep search. */

import {createServer} from 'node:http';

import {getRequestListener} from '@hono/node-server';
import {execa} from 'execa';
import {beforeAll, describe, expect, it} from 'vitest';

import {silentLogger} from '../../../../actors/logger.ts';
import {createEndpoint} from '../../../../cli/mcp/endpoint.ts';
import {createApp} from '../../../../cli/serve/app.ts';
import {listen, urlOf} from '../../../../cli/serve/listening.ts';
import {mcpRoutes} from '../../../../cli/serve/routes/mcp-routes.ts';
import {launcherProgram} from '../../../support/built.ts';
import {
  type Baseline,
  type Revision,
  revisions,
  runConformance,
  suite,
} from '../../../support/conformance.ts';
import {isDeep} from '../../../support/depth.ts';
import {createLauncher, environmentIn} from '../../../support/launch.ts';
import {fetchMs, fetchPackages} from '../../../support/published.ts';
import {createTestServer} from './served-tools.ts';

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

const inspector = '@modelcontextprotocol/inspector@2.12.0';

describe.runIf(isDeep)('the inspector', () => {
  beforeAll(async () => await fetchPackages(inspector), fetchMs);

  it('lists the tools of quorate mcp, and calls one', async () => {
    const launcher = createLauncher();
    try {
      const program = [process.execPath, await launcherProgram(), 'mcp'];
      const inspect = async (...args: readonly string[]): Promise<unknown> => {
        const {HOME: _, ...env} = environmentIn(launcher.folder, {});
        const {stdout} = await execa(
          'npx',
          ['--prefer-offline', '-y', inspector, '--cli', ...program, ...args],
          {cwd: launcher.folder, env, stdin: 'ignore'},
        );
        return JSON.parse(stdout);
      };
      expect(await inspect('--method', 'tools/list')).toMatchObject({
        tools: [{name: 'review_diff'}, {name: 'plan'}, {name: 'ask'}, {}, {name: 'recount'}],
      });
      const call = ['--method', 'tools/call', '--tool-name', 'ask'];
      expect(await inspect(...call, '--tool-arg', 'question=What is 6*7?')).toMatchObject({
        structuredContent: {status: 'completed', answer: '6*7 = 42'},
      });
    } finally {
      launcher.remove();
    }
  });
});

const host = '127.0.0.1';

/** Closes on disposal. */
async function serveTestTools(): Promise<{readonly url: string} & AsyncDisposable> {
  const endpoint = createEndpoint(async () => createTestServer, silentLogger);
  const app = createApp({
    routes: mcpRoutes(endpoint),
    identify: async () => ({kind: 'owner'}),
    host,
    rate: {perSecond: 10_000, burst: 10_000},
    logger: silentLogger,
    ending: new AbortController().signal,
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  await listen(server, host, 0);
  return {
    url: `${urlOf(server, host)}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
