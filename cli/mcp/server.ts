/** Quorate as an MCP server: its tools, for both revisions of the protocol; for one client on standard input and output. Loads the SDK. */

import {randomBytes} from 'node:crypto';

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  McpServer,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import {z} from 'zod';

import type {Journal} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {type Message, t} from '../../machines/message.ts';
import {ruleSpellings, tryParseRule} from '../../machines/panel/rule.ts';
import type {Parsed} from '../line/command.ts';
import {withLoggedRuntime} from '../open-runtime.ts';
import {recountData, recountLines, recountOf} from '../past/recount.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {warn} from '../render/warning.ts';
import {onInterrupt, type Terminal} from '../terminal.ts';
import {version} from '../version.ts';
import {errorResult, runOutput, type ToolResult} from './follow-run.ts';
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

// The tool that counts the votes of a recorded run again.

const recountArguments = z.strictObject({
  run: z
    .string()
    .min(1)
    .max(200)
    .describe('The ID of a run. Absent: the newest run of the working folder.')
    .optional(),
  rule: z
    .string()
    .refine((text) => tryParseRule(text) !== undefined, `use ${ruleSpellings}`)
    .describe(`${ruleSpellings}. Absent: the rule of each vote.`)
    .optional(),
  without: z.array(z.string().max(200)).max(50).describe('Seats to take off the panel.').optional(),
});

const recountOutput = z.record(z.string(), z.unknown());

const recountTool = {
  name: 'recount',
  title: 'Count votes again',
  description:
    'Count the votes of a recorded run again, by another rule or without some seats, and name the first round with another ' +
    'outcome. Reads only the journal: no model is called.',
} as const;

/** Rejects with AppError `not_found`, `usage`, or `journal_corrupt`. */
async function recount(
  {run, rule, without = []}: z.infer<typeof recountArguments>,
  journal: Journal,
  folder: string,
): Promise<ToolResult> {
  if (run !== undefined && (await journal.log.list({id: run})).length === 0)
    throw new AppError('not_found', `there is no run ${oneLine(run, 80)}; give its whole ID`);
  const overrides = rule === undefined ? [] : [{key: 'quorum.rule', value: rule, source: 'rule'}];
  const terms = {without, overrides};
  const {counted, damage} = await recountOf(journal, {wanted: run, folder, terms}).catch(
    (error: unknown) => {
      throw withoutDashes(error);
    },
  );
  if (damage) throw damage;
  const view = {style: plainStyle, width: Number.POSITIVE_INFINITY};
  return {
    content: [{type: 'text', text: recountLines(counted, view).join('\n')}],
    structuredContent: {...recountData(counted)},
  };
}

/** The command line names the same arguments `--rule` and `--without`. */
function withoutDashes(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = error.message.replaceAll(/--(?=rule|without)/g, '');
  return new AppError(error.code, message, {cause: error});
}

// `quorate mcp`: serves one client on standard input and output, until it closes the input. Loads the SDK.

/** Of one message. */
const maxBufferSize = 16_777_216;

/**
 * Resolves with the exit code when the client closes the input, or after a signal; running runs are suspended. Rejects with the
 * errors of opening a runtime.
 */
export async function serveMcp(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {env} = terminal;
  const {overrides} = parsed;
  return await withLoggedRuntime(parsed, terminal, async (launched) => {
    const {runtime, journal, workspace, warnings} = launched;
    const ending = Promise.withResolvers<void>();
    const stopListening = onInterrupt(ending.resolve);
    try {
      await printWarnings(warnings, parsed, terminal);
      const transport = new StdioServerTransport(undefined, undefined, {maxBufferSize});
      const served = serveStdio(
        createServerFactory({runtime, journal, workspace, env, overrides}),
        {transport, onerror: (error) => reportProblem(error, parsed, terminal)},
      );
      const {onclose: closed} = transport;
      const onclose = (): void => {
        closed?.();
        ending.resolve();
      };
      Object.assign(transport, {onclose});
      await ending.promise;
      await served.close();
      return 0;
    } finally {
      stopListening();
    }
  });
}

/** A message that is not valid, or a connection that had to be closed. */
function reportProblem(
  {name, message}: Error,
  {quiet}: Pick<Parsed, 'quiet'>,
  terminal: Terminal,
): void {
  if (quiet) return;
  const why = name.includes('Zod') ? 'a message that is not JSON-RPC was ignored' : message;
  void warn([t`MCP: ${why}`], terminal);
}

/** Standard output belongs to the protocol. */
async function printWarnings(
  warnings: readonly (Message | string)[],
  {quiet}: Pick<Parsed, 'quiet'>,
  terminal: Terminal,
): Promise<void> {
  const byHand = t`an MCP client starts this command and speaks to it on standard input and output; see quorate help mcp`;
  const isByHand = terminal.stdin.isTTY === true;
  await warn([...(isByHand ? [byHand] : []), ...(quiet ? [] : warnings)], terminal);
}
