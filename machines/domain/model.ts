/** Requests to a model, and every way in which it can answer. */

import type {Opaque, ToolCall, Transcript} from '../prompts/transcript.ts';
import type {QuestionPurpose} from '../questions/questions.ts';

/** Purposes of calls without a structured question: models answer in prose, and may call the tools they are offered. */
export const wordPurposes = [
  'explore',
  'act',
  'close',
  'ask',
  'discuss',
  'greet',
  'interview',
] as const;

/** Why a model is called. The offline and the scripted model answer by it; providers never see it. */
export type ModelPurpose = (typeof wordPurposes)[number] | QuestionPurpose;

export interface ModelRequest {
  readonly purpose: ModelPurpose;
  /** `provider/model`. */
  readonly model: string;
  readonly system: string;
  readonly transcript: Transcript;
  /** Names of the tools offered; their schemas come from the runtime's registry. */
  readonly tools: readonly string[];
  /** Names of tools that were brought in, the earliest first: their definitions are sent, even if those of others are deferred. */
  readonly found?: readonly string[];
  /** Names of tools that can't be called here, but must be known: their descriptions and parameters are appended to `system`. */
  readonly describes?: readonly string[];
  /** Names of arguments that are left out of the definitions of the tools, because they make no sense in this request. */
  readonly without?: readonly string[];
  /** `required`: the model must call one of the tools. */
  readonly toolChoice: 'auto' | 'required' | 'none';
  /** The limit of the reply, thinking included. A lower one of the provider or the model applies instead. */
  readonly maxOutputTokens: number;
  /** The limit in place of all others, from the outcome of the call before (`ModelFailure.nextOutputTokens`). */
  readonly outputTokens?: number;
  /** The reply is not streamed, because it must be checked before anybody sees it. */
  readonly isWithheld?: boolean;
}

/** Tokens of one call. `inputTokens` includes the cached ones. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Absent when the price of the model is not known, and the provider reports no cost. */
  readonly costUsd?: number;
  /** The provider reported no usage: it was estimated from the texts sent and received. */
  readonly estimated?: true;
}

export type ModelFailureCode =
  | 'refused'
  | 'truncated'
  | 'rateLimited'
  | 'overloaded'
  | 'contextOverflow'
  /** No such model, no tools, or a request that the provider does not accept: asking again changes nothing. */
  | 'unsupported'
  | 'auth'
  | 'billing'
  | 'protocol'
  | 'network'
  | 'cancelled'
  /** A limit of the run is reached: the call was not made. */
  | 'overBudget'
  /** Its provider is not configured, or its key is missing: the call was not made. With `retryable`: its adapter threw. */
  | 'unavailable'
  /** A fault of the program, such as an adapter with a programming error. */
  | 'internal';

export interface ModelReply {
  readonly kind: 'ok';
  readonly text: string;
  /** Only from a reply that ended in order to call tools. Empty: the text is the final answer. */
  readonly calls: readonly ToolCall[];
  /** Returned to the same model with the next request, in the message that holds this text and these calls. */
  readonly opaque?: Opaque;
  readonly usage?: Usage;
  /** The limit of the reply, if the budget allowed only a lower one than requested. */
  readonly cappedTokens?: number;
}

/** The code of a `protocol` failure: the model wrote a tool call as text. It was not made. */
export const textCall = 'text_call';

/** For the model after such a reply. */
export const textCallRepair =
  'Your last reply wrote a tool call as text, so nothing was called. Call the tool through the tool interface, not in the text.';

export interface ModelFailure {
  readonly kind: ModelFailureCode;
  /** A more exact code than `kind`. */
  readonly code?: string;
  readonly message: string;
  /** The wait that the provider asked for, in ms. */
  readonly retryAfterMs?: number;
  /** False: the provider asked for no repetition. True: worth asking again, although its kind is not transient. */
  readonly retryable?: boolean;
  /** A random number in [0, 1), drawn outside the charts, so that callers spread their retries. */
  readonly jitter?: number;
  /** The time for repetitions, in ms: pauses and failed attempts together. Absent: a few short pauses. */
  readonly retryMs?: number;
  /** The same call may succeed with this limit of the reply, in tokens: it is made again once. */
  readonly nextOutputTokens?: number;
  readonly usage?: Usage;
  /** See `ModelReply`. */
  readonly cappedTokens?: number;
}

export type ModelOutcome = ModelReply | ModelFailure;

const transientKinds: ReadonlySet<string> = new Set(['rateLimited', 'overloaded', 'network']);
const outageKinds: ReadonlySet<string> = new Set([
  ...transientKinds,
  'auth',
  'billing',
  'overBudget',
  'unavailable',
  'unsupported',
]);

/** True if the call is worth repeating after a pause. */
export function isTransient(outcome: ModelOutcome): boolean {
  if (outcome.kind === 'ok') return false;
  return outcome.retryable ?? transientKinds.has(outcome.kind);
}

/** True if the model can't be called with any request now, but perhaps later. */
export function isOutage(kind: string): boolean {
  return outageKinds.has(kind);
}

/** The progress of a repeated call. */
export interface Attempts {
  /** 1 after the first attempt. */
  readonly attempts: number;
  /** Pauses and attempts up to now, in ms. */
  readonly spentMs: number;
  /** The caller stops waiting after this time, in ms: no pause may go beyond it. */
  readonly waitMs?: number | undefined;
}

/** The longest requested wait that is honoured, in ms; beyond it the failure is reported. */
export const maxRetryAfterMs = 300_000;

/**
 * Pauses without `retryMs`, in ms: 6 s in all, for a server that does not run, and for models of a program, which may repeat
 * by themselves. Runs of earlier versions have no others.
 */
const quickPausesMs = [500, 1_000, 2_000, 2_500] as const;
const maxQuickRetryAfterMs = 60_000;

/** Other pauses double from the first to the longest. */
const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** True if a failed attempt may be followed by another. */
export function mayRetry(outcome: ModelOutcome, made: Attempts): boolean {
  if (outcome.kind === 'ok' || !isTransient(outcome)) return false;
  const {retryMs, retryAfterMs = 0} = outcome;
  if (retryMs !== undefined) return mayRetryWithin(retryMs, outcome, made);
  return made.attempts <= quickPausesMs.length && retryAfterMs <= maxQuickRetryAfterMs;
}

function mayRetryWithin(
  retryMs: number,
  outcome: ModelFailure,
  {attempts, spentMs, waitMs = Infinity}: Attempts,
): boolean {
  const isObeyed = (outcome.retryAfterMs ?? 0) <= Math.min(retryMs, maxRetryAfterMs);
  const isInTime = spentMs + retryDelayMs(outcome, attempts) <= waitMs;
  const isWithin = attempts === 1 ? retryMs > 0 : spentMs < retryMs;
  return isObeyed && isInTime && isWithin;
}

/** How long to wait after failed attempt number `attempts`, in ms: at least what the provider asked for. */
export function retryDelayMs(outcome: ModelOutcome, attempts: number): number {
  const {jitter = 1, retryAfterMs = 0, retryMs} = outcome.kind === 'ok' ? {} : outcome;
  const pause = retryMs === undefined ? quickPauseMs(attempts) : pauseMs(attempts);
  return Math.max(pause * (0.75 + 0.25 * jitter), retryAfterMs);
}

function quickPauseMs(attempts: number): number {
  return quickPausesMs[Math.min(attempts, quickPausesMs.length) - 1] ?? quickPausesMs[0];
}

function pauseMs(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
}
