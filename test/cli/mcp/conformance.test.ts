/** Independent clients of the MCP endpoints: the official suite and the inspector. They need a package registry: only in a deep search. */

import {createServer} from 'node:http';

import {getRequestListener} from '@hono/node-server';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {execa} from 'execa';
import {beforeAll, describe, expect, it} from 'vitest';
import {z} from 'zod';

import {silentLogger} from '../../../actors/logger.ts';
import {createEndpoint} from '../../../cli/mcp/endpoint.ts';
import {createApp, listen, urlOf} from '../../../cli/serve/app.ts';
import {mcpRoutes} from '../../../cli/serve/routes/server-routes.ts';
import {launcherProgram} from '../../support/built.ts';
import {
  type Baseline,
  type Revision,
  revisions,
  runConformance,
  suite,
} from '../../support/conformance.ts';
import {isDeep} from '../../support/depth.ts';
import {createLauncher, environmentIn} from '../../support/launch.ts';
import {fetchMs, fetchPackages} from '../../support/published.ts';

const text = (said: string) => ({content: [{type: 'text' as const, text: said}]});
const states = createRequestStateCodec<number>({key: 'of a test, which has no secret to keep'});

const question = (message: string, name: string, shape: z.ZodType = z.string()) =>
  inputRequired.elicit({mode: 'form', message, requestedSchema: z.object({[name]: shape})});

const answered = ({mcpReq}: ServerContext, key: string) => {
  const view = inputResponse(mcpReq.inputResponses, key);
  return view.kind === 'elicit' && view.action === 'accept' ? view.content : undefined;
};
const asksName = async (context: ServerContext) => {
  const name = answered(context, 'user_name')?.['name'];
  return typeof name === 'string'
    ? text(`Hello, ${name}!`)
    : inputRequired({inputRequests: {user_name: question('What is your name?', 'name')}});
};

const confirms = async (context: ServerContext) =>
  context.mcpReq.requestState<number>() === 1
    ? text('state-ok')
    : inputRequired({
        inputRequests: {confirm: question('Please confirm', 'ok', z.boolean())},
        requestState: await states.mint(1),
      });

type Handled = Promise<ReturnType<typeof text> | ReturnType<typeof inputRequired>>;

/** The tools that the official suite calls by name. */
const tools: Readonly<Record<string, (context: ServerContext) => Handled>> = {
  test_simple_text: async () => text('This is a simple text response for testing.'),
  test_logging_tool: async () => text('It logs nothing.'),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async ({mcpReq: {_meta, notify}}) => {
    const progressToken = _meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = {progressToken, progress, total: 100};
      await notify({method: 'notifications/progress', params});
    }
    return text('done');
  },
  test_input_required_result_elicitation: asksName,
  test_streaming_elicitation: asksName,
  test_missing_capability: async () =>
    inputRequired({
      inputRequests: {greeting: inputRequired.createMessage({messages: [], maxTokens: 50})},
    }),
  test_input_required_result_request_state: confirms,
  test_input_required_result_tampered_state: confirms,
  test_input_required_result_multi_round: async ({mcpReq}) => {
    const step = (mcpReq.requestState<number>() ?? 0) + 1;
    if (step === 3) return text('done');
    const [message, name] =
      step === 1
        ? ['Step 1: What is your name?', 'name']
        : ['Step 2: What is your favorite color?', 'color'];
    return inputRequired({
      inputRequests: {[`step${step}`]: question(message, name)},
      requestState: await states.mint(step),
    });
  },
  test_input_required_result_capabilities: async ({mcpReq}) => {
    const sent: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const capabilities = z.looseObject({}).parse(sent[CLIENT_CAPABILITIES_META_KEY]);
    return 'elicitation' in capabilities
      ? inputRequired({inputRequests: {user_name: question('What is your name?', 'name')}})
      : text('This client takes no questions.');
  },
};

/** Has an argument that is sent as a header. */
const headed = {type: 'object', properties: {region: {type: 'string', 'x-mcp-header': 'Region'}}};

/** The tools, served by the endpoint of `quorate serve`. */
function createTestServer(): McpServer {
  const server = new McpServer(
    {name: 'conformance', version: '1'},
    {
      capabilities: {tools: {listChanged: false}},
      requestState: {verify: async (state, context) => await states.verify(state, context)},
    },
  );
  for (const [name, handle] of Object.entries(tools)) {
    const described = {description: name, inputSchema: z.object({})};
    server.registerTool(name, described, async (_, context) => await handle(context));
  }
  const inputSchema = fromJsonSchema(headed);
  const described = {description: 'test_custom_headers', inputSchema};
  server.registerTool('test_custom_headers', described, async () => text('done'));
  return server;
}

const undeclared: Baseline = {
  'no tool of Quorate has such contents, or such a schema': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'json-schema-2020-12',
  ],
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
