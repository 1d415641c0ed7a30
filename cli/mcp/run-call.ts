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
import {z} from 'zod';

import {resultIn} from '../../actors/run/run-result.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Waiting} from '../../machines/domain/result.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {meaningOf, questionLines, questionTitles} from '../render/question.ts';
import {decidingOn} from '../render/result/waiting.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {
  errorResult,
  type Followed,
  followRun,
  type GivenDecision,
  toolResult,
} from './follow-run.ts';
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

// A human gate as a question that an MCP client asks its person (elicitation), and the answer as a decision.

/** Columns of a message. */
const width = 100;
/** A person decides on what they see: a longer question is not asked through a client. */
const maxMessage = 20_000;
/** Models write requests, too: a long one must not hide the subject of the decision. */
const maxRequest = 1_000;
const maxReason = 2_000;

/** An edited plan and a standing permission are given on the command line, where a person sees exactly what they are. */
const onCommandLineOnly: ReadonlySet<string> = new Set(['edit', 'always']);

interface ElicitedQuestion {
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

export interface QuestionOptions {
  /** The ID of the run. */
  readonly run: string;
  /** An approved plan is the result: nothing carries it out. */
  readonly isPlanOnly: boolean;
}

/** Undefined when no decision can be offered, or the message would not show the whole subject of the decision. */
function elicitedQuestion(
  waiting: Waiting,
  options: QuestionOptions,
): ElicitedQuestion | undefined {
  const {question} = waiting;
  const message = messageOf(waiting, options);
  if (message.length > maxMessage) return undefined;
  const offered = question.allowed.filter((decision) => !onCommandLineOnly.has(decision));
  if (offered.length === 0) return undefined;
  const effects = offered.map(
    (decision) => `${decision}: ${effectOf(question, decision, options)}`,
  );
  return {message, requestedSchema: decisionForm(offered, `${effects.join('. ')}.`)};
}

function decisionForm(
  offered: readonly HumanDecision['decision'][],
  description: string,
): FormSchema {
  return {
    type: 'object',
    properties: {
      decision: {type: 'string', title: 'Decision', description, enum: offered},
      reason: {type: 'string', title: 'Reason (optional; needed to revise)', maxLength: maxReason},
    },
    required: ['decision'],
  };
}

function messageOf(waiting: Waiting, {run, isPlanOnly}: QuestionOptions): string {
  const {question} = waiting;
  const {kind, reason, request} = question;
  const shown = {...question, request: cutRequest(request)};
  return [
    `Quorate, run ${oneLine(run)}: ${say(questionTitles[kind], {})}`,
    oneLine(reason, 1000),
    ...(isPlanOnly && isOnPlan(question) ? ['The plan will not be carried out by this run.'] : []),
    decidingOn(waiting, {}),
    ...questionLines(shown, {style: plainStyle, width}),
  ].join('\n');
}

/** Line ends count as spaces: a request of empty lines would fill the screen. */
function cutRequest(request: string): string {
  const text = request.replaceAll(/\s+/g, ' ').trim();
  return text.length <= maxRequest ? text : `${text.slice(0, maxRequest).toWellFormed()} …`;
}

function effectOf(
  question: HumanQuestion,
  decision: HumanDecision['decision'],
  {isPlanOnly}: QuestionOptions,
): string {
  if (isPlanOnly && isOnPlan(question)) return planEffects[decision] ?? decision;
  return meaningOf(question, decision, {});
}

const planEffects: Readonly<Partial<Record<HumanDecision['decision'], string>>> = {
  approve: 'Accept this plan',
  reject: 'Reject this plan; a reason may follow',
  revise: 'Have another plan made as the reason says',
};

function isOnPlan({kind}: HumanQuestion): boolean {
  return kind === 'plan' || kind === 'confirmation';
}

const answerSchema = z.object({
  decision: z.enum(['approve', 'reject', 'revise', 'retry', 'done', 'fail']),
  reason: z.string().optional(),
});

export interface Response {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: unknown;
}

/** Undefined for no decision. The run checks that its question allows the decision. */
function decisionIn({action, content}: Response): HumanDecision | undefined {
  return action === 'accept' ? readDecision(content) : undefined;
}

function readDecision(content: unknown): HumanDecision | undefined {
  const parsed = answerSchema.safeParse(content);
  if (!parsed.success) return undefined;
  const {decision, reason = ''} = parsed.data;
  const text = reason.trim().slice(0, maxReason).toWellFormed();
  const why = text === '' ? {} : {reason: text};
  if (decision === 'revise') return text === '' ? undefined : {decision, reason: text};
  return decision === 'approve' || decision === 'reject' ? {decision, ...why} : {decision};
}
