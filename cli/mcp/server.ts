/** Quorate as an MCP server: its tools, for both revisions of the protocol. Loads the SDK. */

import {randomBytes} from 'node:crypto';

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  McpServer,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import {z} from 'zod';

import type {Journal} from '../../actors/journal/journal.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {version} from '../version.ts';
import {errorResult, runOutput} from './outputs.ts';
import {recount, recountArguments, recountOutput, recountTool} from './recount-tool.ts';
import {type Asked, type Call, type CallDeps, callTool} from './run-call.ts';
import {type RunTool, runTools} from './run-tools.ts';

export interface McpDeps extends Omit<CallDeps, 'mint'> {
  readonly journal: Journal;
}

/** A person may take days. The key lasts as long as the process. */
const stateSeconds = 7 * 24 * 3600;

const instructions =
  'Quorate has a panel of models vote before anything risky happens. review_diff and plan return votes with reasons; ask and ' +
  'discuss return an answer. A result with the status "waiting" waits for a person: show them its commands, do not decide ' +
  'for them.';

/** A server for each connection, and over HTTP for each request. */
export function createServerFactory(deps: McpDeps): McpServerFactory {
  const states = createRequestStateCodec<Asked>({key: randomBytes(32), ttlSeconds: stateSeconds});
  const callDeps = {...deps, mint: async (asked: Asked) => await states.mint(asked)};
  return ({era}) => {
    const server = new McpServer(
      {name: 'quorate', title: 'Quorate', version: version()},
      {
        instructions,
        capabilities: {tools: {listChanged: false}},
        requestState: {verify: async (state, context) => await states.verify(state, context)},
      },
    );
    const canAsk = ({mcpReq}: Call['context']): boolean => {
      const sent: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
      return takesForms(
        sent[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities(),
      );
    };
    for (const tool of runTools)
      registerRunTool(server, tool, callDeps, (context) => ({
        canAsk: canAsk(context),
        asksDuringCall: era === 'legacy',
      }));
    registerRecount(server, deps);
    return server;
  };
}

function registerRunTool(
  server: McpServer,
  tool: RunTool,
  deps: CallDeps,
  clientOf: (context: Call['context']) => Pick<Call, 'canAsk' | 'asksDuringCall'>,
): void {
  const {name, title, description, parameters, isReadOnly} = tool;
  const annotations = {
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly,
    openWorldHint: true,
  };
  server.registerTool(
    name,
    {title, description, inputSchema: parameters, outputSchema: runOutput, annotations},
    async (args, context) =>
      await withoutErrors(
        async () => await callTool({tool, args, context, ...clientOf(context)}, deps),
      ),
  );
}

function registerRecount(server: McpServer, {journal, workspace}: McpDeps): void {
  const {name, ...words} = recountTool;
  server.registerTool(
    name,
    {
      ...words,
      inputSchema: recountArguments,
      outputSchema: recountOutput,
      annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
    },
    async (args) => await withoutErrors(async () => await recount(args, journal, workspace)),
  );
}

/** Expected failures are results, so that the model can correct its arguments. */
async function withoutErrors<T>(work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return errorResult(toFailure(error).message);
  }
}

const elicitationSchema = z.object({
  elicitation: z.looseObject({url: z.unknown(), form: z.unknown()}).partial(),
});

/** A client that declares elicitation without a mode takes forms. */
function takesForms(capabilities: unknown): boolean {
  const parsed = elicitationSchema.safeParse(capabilities);
  if (!parsed.success) return false;
  const {form, url} = parsed.data.elicitation;
  return form !== undefined || url === undefined;
}
