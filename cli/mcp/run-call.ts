/** One call of a tool that begins a run, up to its result or to a question for the client's person. Loads the SDK. */

import {
  type CallToolResult,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';

import {resultIn} from '../../actors/run/run-result.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {type Followed, followRun, type GivenDecision} from './follow-run.ts';
import {errorResult, toolResult} from './outputs.ts';
import {decisionIn, type ElicitedQuestion, elicitedQuestion} from './question.ts';
import type {Place, RunTool} from './run-tools.ts';

/** A question that a client was given. It travels through the client, signed. */
export interface Asked {
  readonly tool: string;
  readonly run: string;
  readonly gate: string;
  readonly digest: string;
}

export interface CallDeps extends Place {
  readonly runtime: Runtime;
  /** Signs a question. */
  readonly mint: (asked: Asked) => Promise<string>;
  /** Progress is reported again after this long without any: a client may give up after 60 s. Absent: 15 s. */
  readonly silenceMs?: number;
}

export interface Call {
  readonly tool: RunTool;
  readonly args: unknown;
  readonly context: ServerContext;
  /** The client takes forms for its person. */
  readonly canAsk: boolean;
  /** In revision 2025-11-25 questions are asked during the call; later, by a result that leads to another call. */
  readonly asksDuringCall: boolean;
}

/** The longest that timers take: a question has no deadline. */
const patienceMs = 2_147_483_647;
const usualSilenceMs = 15_000;
/** Of a message about progress. */
const maxProgress = 2000;
/** Of a client that does not read: later ones are dropped. */
const maxUnsent = 100;

/** Rejects with the errors of starting and resuming a run. */
export async function callTool(
  call: Call,
  deps: CallDeps,
): Promise<CallToolResult | InputRequiredResult> {
  const {mcpReq} = call.context;
  const {signal} = mcpReq;
  const onProgress = progressSender(call.context);
  const {silenceMs = usualSilenceMs} = deps;
  const calling: Calling = {
    call,
    deps,
    follow: async (run, decided) =>
      await followRun(run, {signal, isGone, onProgress, silenceMs, decided}),
    waitForPerson: async (work) => {
      const silence = setInterval(
        () => onProgress(say(t`waits for a person`, plainStyle)),
        silenceMs,
      );
      return await work.finally(() => clearInterval(silence));
    },
  };
  const asked = mcpReq.requestState<Asked>();
  if (asked) return await continueCall(asked, calling);
  if (mcpReq.inputResponses)
    return errorResult(`${again(call.tool)}: the answer names no question`);
  return await beginCall(calling);
}

interface Calling {
  readonly call: Call;
  readonly deps: CallDeps;
  readonly follow: (run: Run, decided?: GivenDecision) => Promise<Followed>;
  /** Reports progress until `work` has settled. */
  readonly waitForPerson: <T>(work: Promise<T>) => Promise<T>;
}

async function beginCall(calling: Calling): Promise<CallToolResult | InputRequiredResult> {
  const {call, deps, follow} = calling;
  const {runtime, workspace} = deps;
  const options = await call.tool.start(call.args, deps);
  await runtime.ready({workspace});
  const followed = await follow(runtime.start({...options, workspace}));
  if (call.asksDuringCall) return await askDuringCall(followed, calling);
  return (await questionResult(followed, call, deps)) ?? toolResult(followed.result);
}

/** With the answer of the person. One who gives no decision is not asked again. */
async function continueCall(
  asked: Asked,
  calling: Calling,
): Promise<CallToolResult | InputRequiredResult> {
  const {call, deps} = calling;
  const {tool, context} = call;
  if (asked.tool !== tool.name)
    return errorResult(`${again(tool)}: the answer is for ${asked.tool}`);
  const view = inputResponse(context.mcpReq.inputResponses, 'decision');
  const decision = view.kind === 'elicit' ? decisionIn(view) : undefined;
  const followed = await decide(asked, decision, calling);
  const isAskedAgain = decision !== undefined || view.kind === 'missing';
  const question = isAskedAgain ? await questionResult(followed, call, deps) : undefined;
  return question ?? toolResult(followed.result);
}

function again({name}: RunTool): string {
  return `call ${name} again without an answer`;
}

/** The connection was closed, or the HTTP request was aborted. */
function isGone(reason: unknown): boolean {
  return reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
}

function progressSender({mcpReq}: ServerContext): (text: string) => void {
  const {signal, _meta, notify} = mcpReq;
  const progressToken = _meta?.progressToken;
  let progress = 0;
  let unsent = 0;
  const send = async (message: string): Promise<void> => {
    unsent += 1;
    const params = {progressToken, progress, message};
    // A client that is gone aborts the signal, too.
    await notify({method: 'notifications/progress', params}).catch(() => undefined);
    unsent -= 1;
  };
  return (text) => {
    if (progressToken === undefined || signal.aborted || unsent >= maxUnsent) return;
    progress += 1;
    void send(text.slice(0, maxProgress).toWellFormed());
  };
}

/** Continues a waiting run, or returns the result of one that has ended meanwhile. */
async function decide(
  {run: id, gate, digest}: Asked,
  decision: HumanDecision | undefined,
  {deps: {runtime}, follow}: Calling,
): Promise<Followed> {
  const ended = resultIn(await runtime.entries(id));
  if (ended) return {result: ended};
  try {
    const run = await runtime.resume(id);
    return await follow(run, decision && {decision, gate, digest});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw notApplied(id, error);
  }
}

function notApplied(id: string, error: AppError): AppError {
  const run = oneLine(id);
  const why =
    error.code === 'busy'
      ? `run ${run} is open in another process: decide there`
      : `${error.message}; look with: quorate show ${run}`;
  return new AppError(error.code, `the decision was not applied: ${why}`, {cause: error});
}

async function questionResult(
  followed: Followed,
  {tool, canAsk}: Pick<Call, 'tool' | 'canAsk'>,
  {mint}: Pick<CallDeps, 'mint'>,
): Promise<InputRequiredResult | undefined> {
  const question = canAsk ? questionOf(followed, tool) : undefined;
  if (!question) return undefined;
  return inputRequired({
    inputRequests: {decision: inputRequired.elicit(formOf(question.elicited))},
    requestState: await mint(question.asked),
  });
}

interface Question {
  readonly elicited: ElicitedQuestion;
  readonly asked: Asked;
}

function questionOf(
  {result: {interaction: run, waiting}, gate}: Followed,
  {name: tool, isPlanOnly}: RunTool,
): Question | undefined {
  if (!waiting || gate?.question.proposalHash !== waiting.digest) return undefined;
  const elicited = elicitedQuestion(waiting, {run, isPlanOnly});
  const asked = {tool, run, gate: gate.gate, digest: waiting.digest};
  return elicited && {elicited, asked};
}

/** A client that fails to ask, or whose person gives no decision, receives the open question as the result. */
async function askDuringCall(followed: Followed, calling: Calling): Promise<CallToolResult> {
  const {call, deps, waitForPerson} = calling;
  const {mcpReq} = call.context;
  const question = call.canAsk ? questionOf(followed, call.tool) : undefined;
  if (!question) return toolResult(followed.result);
  const decision = await waitForPerson(elicit(question.elicited, call.context));
  const {signal} = mcpReq;
  if (signal.aborted && !isGone(signal.reason)) await deps.runtime.cancel(question.asked.run);
  if (signal.aborted || !decision) return toolResult(followed.result);
  return await askDuringCall(await decide(question.asked, decision, calling), calling);
}

/** Undefined without a decision, also when the client fails to ask. Never rejects. */
async function elicit(
  elicited: ElicitedQuestion,
  {mcpReq: {elicitInput, signal}}: ServerContext,
): Promise<HumanDecision | undefined> {
  const params = formOf(elicited);
  try {
    const response = await elicitInput(params, {timeout: patienceMs, signal});
    return decisionIn(response);
  } catch {
    return undefined;
  }
}

/** The SDK checks the shape when it sends it. */
function formOf({message, requestedSchema}: ElicitedQuestion): ElicitRequestFormParams {
  return {mode: 'form', message, requestedSchema: JSON.parse(JSON.stringify(requestedSchema))};
}
