/** A run as an MCP client receives it: its progress as lines, its end, and its result as a text and as data. */

import {z} from 'zod';

import type {OpenGate, Run} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {RunResult, Waiting} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {t} from '../../machines/message.ts';
import {escapeForTerminal} from '../../tools/escape.ts';
import {createOpenGates, type OpenGates} from '../gate/decide.ts';
import {say} from '../language.ts';
import {createGivenDecision} from '../line/decision.ts';
import {createReporter} from '../render/live/reporter.ts';
import {statusText} from '../render/live/status.ts';
import {hasResult, resultLines} from '../render/result/result.ts';
import {answerCommands, continueLines} from '../render/result/waiting.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import {advance} from '../render/view/fold.ts';
import {emptyView} from '../render/view/run-view.ts';

const screen = {style: plainStyle, level: 'normal', width: 200, isLive: false} as const;

export interface GivenDecision {
  readonly decision: HumanDecision;
  /** The key of the gate: a later question may be about the same subject. */
  readonly gate: string;
  /** Of the question that the person has seen. */
  readonly digest: string;
}

export interface Following {
  /** Receives the lines of an event, and after each silence the state of the run. */
  readonly onProgress: (text: string) => void;
  readonly silenceMs: number;
  /** For a continued run. */
  readonly decided?: GivenDecision | undefined;
  readonly signal: AbortSignal;
  /** True for a signal that was aborted because the client is gone: the run can be resumed then. Otherwise it is cancelled. */
  readonly isGone: (reason: unknown) => boolean;
}

export interface Followed {
  readonly result: RunResult;
  /** The gate at which the run waits. */
  readonly gate?: OpenGate | undefined;
}

/**
 * Resolves when the run has ended, or is suspended because only a person can continue it or because the client is gone. Rejects
 * with AppError `usage` or `nothing_waiting` for a decision whose gate is not open; the run is suspended then.
 */
export async function followRun(run: Run, following: Following): Promise<Followed> {
  const {signal, isGone} = following;
  const leave = (): void => {
    if (isGone(signal.reason)) void run.suspend('interrupted');
    else run.send({type: 'user.cancel'});
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, {once: true});
  let gate: OpenGate | undefined;
  const leaveToPerson = (): void => {
    [gate] = run.gates();
    void run.suspend('waiting');
  };
  try {
    await follow(run, following, leaveToPerson);
    const result = await run.result;
    return {result, gate: result.waiting ? gate : undefined};
  } catch (error) {
    await run.suspend('waiting');
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

async function follow(
  run: Run,
  {onProgress, silenceMs, decided}: Following,
  leaveToPerson: () => void,
): Promise<void> {
  const view = createView();
  const silence = setInterval(() => onProgress(view.status()), silenceMs);
  const gates = createOpenGates(run);
  const meant = decided ? onlyGate(gates, decided.gate) : gates;
  const decide = createGivenDecision(meant, run.id, decided?.decision, decided?.digest);
  let isGiven = decide();
  let isWatched = false;
  /** Leaves a run that waits for a person alone, unless its question is the one to answer. */
  const watch = async (): Promise<void> => {
    isWatched = true;
    const isAsked = (await run.quiet()) === 'asked';
    isWatched = false;
    const isMeant = !isGiven && run.gates().some(({gate}) => gate === decided?.gate);
    // The decision may have been given since.
    if (isAsked && !isMeant && run.atWork().length === 0) leaveToPerson();
  };
  try {
    for await (const event of run.events) {
      gates.record(event);
      const lines = view.lines(event);
      if (lines.length > 0) {
        onProgress(lines.join('\n'));
        silence.refresh();
      }
      isGiven = decide(event);
      if (!isWatched) void watch();
    }
  } finally {
    clearInterval(silence);
  }
  if (!decide()) throw new AppError('nothing_waiting', `run ${run.id} asks another question now`);
}

/** The lines of each event, and the state of the run, as on a terminal. */
function createView() {
  const reporter = createReporter();
  const startedAt = Date.now();
  let view = emptyView;
  const lines = (event: ProgressEvent): readonly string[] => {
    const before = view;
    view = advance(view, event);
    const isShown = event.type !== 'model.delta' && event.type !== 'result';
    const shown = isShown ? reporter.report(event, {before, after: view}, screen) : [];
    return shown.map((line) => line.trim());
  };
  const status = (): string =>
    say(
      t`still at work: ${statusText(view, {elapsedMs: Date.now() - startedAt, width: screen.width})}`,
      plainStyle,
    );
  return {lines, status};
}

function onlyGate(gates: OpenGates, key: string): OpenGates {
  return {...gates, list: () => gates.list().filter(({gate}) => gate === key)};
}

// Results of runs as MCP clients receive them: a text to read, and the same as data.

const width = Number.POSITIVE_INFINITY;
/** Of a string in the data, in UTF-16 units. */
const maxString = 20_000;
const maxError = 4_000;

const part = z.record(z.string(), z.unknown());
const parts = z.array(part);

/** One shape for every form: a member is absent where a form has no such thing. */
export const runOutput = z.object({
  run: z.string().describe('The ID of the run: quorate show ID prints its record.'),
  status: z
    .enum([
      'completed',
      'failed',
      'rejected',
      'cancelled',
      'error',
      'limited',
      'waiting',
      'suspended',
    ])
    .describe(
      'waiting: for a person. suspended: it stopped, for the reason in error, and can be resumed.',
    ),
  summary: z.string(),
  answer: z.string().optional(),
  sources: parts.optional(),
  discussion: part.optional(),
  plan: part.optional(),
  reviews: parts.optional().describe('Every round of votes on the plan.'),
  review: part
    .optional()
    .describe('Of a diff: approved, rule, votes, comments by file and line, synthesis.'),
  degraded: z.boolean().optional(),
  error: z.object({code: z.string(), message: z.string()}).optional(),
  waiting: z
    .object({
      kind: z.string(),
      reason: z.string(),
      folder: z.string(),
      digest: z.string().describe('SHA-256 of exactly the subject of the decision.'),
      commands: z.array(z.object({command: z.string(), effect: z.string()})),
    })
    .optional()
    .describe('The open question. A person answers it with a command, not a model.'),
  resume: z.string().optional().describe('The command that continues a suspended run.'),
  usage: part,
});

/** A type, not an interface, so that it fits that of the SDK. */
export type ToolResult = {
  readonly content: {type: 'text'; text: string}[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

/** A rejection, and an open question, are results. */
export function toolResult(result: RunResult): ToolResult {
  return {
    content: [{type: 'text', text: textOf(result)}],
    structuredContent: dataOf(result),
    ...(isFailure(result) ? {isError: true} : {}),
  };
}

/** `message` may contain words of others. */
export function errorResult(message: string): ToolResult {
  const text = escapeForTerminal(message.slice(0, maxError).toWellFormed());
  return {content: [{type: 'text', text}], isError: true};
}

function isFailure(result: RunResult): boolean {
  const {status, review} = result;
  if (status === 'failed') return review === undefined;
  return isSuspended(result) || ['cancelled', 'error', 'limited'].includes(status);
}

/** It waits for a model, or for its client, not for a person. */
function isSuspended({status, waiting, asked = []}: RunResult): boolean {
  return status === 'waiting' && !waiting && asked.length === 0;
}

function textOf(result: RunResult): string {
  const {interaction: run, summary} = result;
  const lines = resultLines(result, {style: plainStyle, width}).join('\n');
  const next = hasResult(result) && result.resumable === true ? continueLines(result) : [];
  const text = [lines.trim() === '' ? summary : lines, ...next].join('\n');
  return text.includes(run) ? text : `${text}\n\nrun ${oneLine(run)}`;
}

function dataOf(result: RunResult): Record<string, unknown> {
  const {interaction: run, status, summary, usage, error} = result;
  const {answer, sources, discussion, plan, reviews, review, degraded, waiting} = result;
  const isLeft = isSuspended(result) || result.resumable === true;
  return asData({
    run,
    status: isSuspended(result) ? 'suspended' : status,
    summary,
    answer,
    sources,
    discussion,
    plan,
    reviews: review ? undefined : reviews,
    review,
    degraded,
    error,
    waiting: waiting && questionData(run, waiting),
    resume: isLeft && !waiting ? `quorate resume ${run}` : undefined,
    usage,
  });
}

function questionData(run: string, waiting: Waiting) {
  const {kind, reason, proposalHash: digest} = waiting.question;
  const commands = answerCommands(run, waiting).map(([command, effect]) => ({command, effect}));
  return {kind, reason, folder: waiting.workspace, digest, commands};
}

/** Without the members that are absent, with escaped and bounded strings. */
function asData(output: object): Record<string, unknown> {
  const safe: unknown = JSON.parse(JSON.stringify(output), (_, value: unknown) =>
    typeof value === 'string' ? safeString(value) : value,
  );
  return {...runOutput.parse(safe)};
}

function safeString(text: string): string {
  if (text.length <= maxString) return escapeForTerminal(text);
  return `${escapeForTerminal(text.slice(0, maxString).toWellFormed())}… (cut)`;
}
