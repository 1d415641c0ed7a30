/**
 * Quorate as an MCP server. One handler serves both revisions of the protocol: it returns a question as `input_required`, and
 * for a client of 2025-11-25 the SDK asks it during the call. Loads the SDK.
 */

import {randomBytes} from 'node:crypto';

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  type McpServerFactory,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {z} from 'zod';

import type {Journal} from '../../actors/journal/journal.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {oneLine} from '../render/text.ts';
import {version} from '../version.ts';
import {followRun} from './follow-run.ts';
import {errorResult, runOutput, toolResult} from './outputs.ts';
import {decisionIn, elicitedQuestion} from './question.ts';
import {recount, recountArguments, recountOutput, recountTool} from './recount-tool.ts';
import {type Place, type RunTool, runTools} from './run-tools.ts';

export interface McpDeps extends Place {
  readonly runtime: Runtime;
  readonly journal: Journal;
}

/** A question that a client was given: it comes back with the answer, signed. */
interface Asked {
  readonly tool: string;
  readonly run: string;
  readonly digest: string;
}

/** A person may take days. The key lasts as long as the process. */
const stateSeconds = 7 * 24 * 3600;
/** Of questions to one person in one call. */
const maxRounds = 100;
/** The longest that timers take: a question has no deadline. */
const roundTimeoutMs = 2_147_483_647;
/** Of a message about progress. */
const maxProgress = 2000;

const instructions =
  'Quorate has a panel of models vote before anything risky happens. review_diff and plan return votes with reasons; ask and ' +
  'discuss return an answer. A result with the status "waiting" waits for a person: show them its commands, do not decide ' +
  'for them.';

/** A server for each connection, and over HTTP for each request. */
export function createServerFactory(deps: McpDeps): McpServerFactory {
  const states = createRequestStateCodec<Asked>({key: randomBytes(32), ttlSeconds: stateSeconds});
  return () => {
    const server = new McpServer(
      {name: 'quorate', title: 'Quorate', version: version()},
      {
        instructions,
        capabilities: {tools: {listChanged: false}},
        inputRequired: {maxRounds, roundTimeoutMs},
        requestState: {verify: async (state, context) => await states.verify(state, context)},
      },
    );
    const canAsk = ({mcpReq}: ServerContext): boolean => {
      const sent: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
      return takesForms(
        sent[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities(),
      );
    };
    const ask = async (tool: string, result: RunResult, context: ServerContext) => {
      const question = result.waiting?.question;
      if (!question || !canAsk(context)) return undefined;
      const {interaction: run} = result;
      const elicited = elicitedQuestion(run, question);
      if (!elicited) return undefined;
      const requestState = await states.mint({tool, run, digest: question.proposalHash});
      return inputRequired({
        inputRequests: {decision: inputRequired.elicit({mode: 'form', ...elicited})},
        requestState,
      });
    };
    for (const tool of runTools) registerRunTool(server, tool, {deps, ask});
    registerRecount(server, deps);
    return server;
  };
}

interface Serving {
  readonly deps: McpDeps;
  /** The question of a waiting run, for a client whose person can be asked. */
  readonly ask: (
    tool: string,
    result: RunResult,
    context: ServerContext,
  ) => Promise<InputRequiredResult | undefined>;
}

function registerRunTool(server: McpServer, tool: RunTool, {deps, ask}: Serving): void {
  const {name, title, description, parameters, isReadOnly} = tool;
  const annotations = {readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: true};
  server.registerTool(
    name,
    {title, description, inputSchema: parameters, outputSchema: runOutput, annotations},
    async (args, context) =>
      await withoutErrors(async () => {
        const asked = context.mcpReq.requestState<Asked>();
        if (asked && asked.tool !== name) return errorResult('the answer is for another tool');
        const answer = answerIn(context);
        if (asked && answer === 'none') return stillWaiting(asked);
        const run = asked ? await deps.runtime.resume(asked.run) : await begin(tool, args, deps);
        const decided =
          asked && answer && answer !== 'none'
            ? {decision: answer, digest: asked.digest}
            : undefined;
        const result = await follow(run, context, decided);
        return (await ask(name, result, context)) ?? toolResult(result);
      }),
  );
}

async function begin(tool: RunTool, args: unknown, deps: McpDeps): Promise<Run> {
  const {runtime, workspace} = deps;
  const options = await tool.start(args, deps);
  await runtime.ready({workspace});
  return runtime.start({...options, workspace});
}

async function follow(
  run: Run,
  {mcpReq}: ServerContext,
  decided: {readonly decision: HumanDecision; readonly digest: string} | undefined,
): Promise<RunResult> {
  const {signal, _meta} = mcpReq;
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return await followRun(run, {
    signal,
    isGone: (reason) => reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed,
    ...(decided ? {decided} : {}),
    onProgress: async (text) => {
      if (progressToken === undefined || signal.aborted) return;
      progress += 1;
      const message = text.slice(0, maxProgress).toWellFormed();
      const params = {progressToken, progress, message};
      // A client that is gone aborts the signal, too.
      await mcpReq.notify({method: 'notifications/progress', params}).catch(() => undefined);
    },
  });
}

/** Undefined when the question was not answered at all: it is asked again. */
function answerIn({mcpReq}: ServerContext): HumanDecision | 'none' | undefined {
  const view = inputResponse(mcpReq.inputResponses, 'decision');
  if (view.kind !== 'elicit') return undefined;
  return (view.action === 'accept' ? decisionIn(view.content) : undefined) ?? 'none';
}

/** The person was asked, and gave no decision. */
function stillWaiting({run}: Asked): CallToolResult {
  const id = oneLine(run);
  return errorResult(
    `No decision was given. The run waits for one: quorate show ${id} shows the question, quorate resume ${id} asks it again.`,
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

const asking = z.object({
  elicitation: z.looseObject({url: z.unknown(), form: z.unknown()}).partial(),
});

/** A client that declares elicitation without a mode takes forms. */
function takesForms(capabilities: unknown): boolean {
  const read = asking.safeParse(capabilities);
  if (!read.success) return false;
  const {form, url} = read.data.elicitation;
  return form !== undefined || url === undefined;
}
