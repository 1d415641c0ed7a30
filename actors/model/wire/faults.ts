/** Turns the error of a call into a model failure by the HTTP status, the provider's message or the system's error code. */

import {isJsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailure, ModelFailureCode} from '../../../machines/domain/model.ts';
import {
  codeOf,
  describe,
  fieldsOf,
  gone,
  isLasting,
  isRedirect,
  messageOf,
  oneLine,
  systemCode,
  toolless,
} from './fault-text.ts';

/** The facts about an error, for both SDKs and the system. */
export interface Fault {
  readonly status: number | undefined;
  /** The error type and error code of the provider. */
  readonly words: string;
  readonly message: string;
  readonly headers: Headers;
}

export interface FaultContext {
  /** `provider/model`, for messages. */
  readonly name: string;
  readonly baseUrl: string;
  /** Replaced in every message. */
  readonly apiKey: string;
  readonly random: () => number;
  /** See `ModelFailure`. */
  readonly retryMs?: number | undefined;
  /** The server runs on this machine. */
  readonly isLocal?: boolean | undefined;
}

/** An error of the adapters themselves, whose kind is already known. Its message must not contain a key. */
export class GuardError extends Error {
  readonly kind: ModelFailureCode;

  constructor(kind: ModelFailureCode, message: string) {
    super(message);
    this.name = 'GuardError';
    this.kind = kind;
  }
}

/** A failure that the provider reports inside a stream. */
export class ProviderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ProviderError';
    this.code = code;
  }
}

/** Throws for an error event without an SSE name. SDKs throw for named ones, but pass this one on like any event. */
export function throwErrorEvent(event: unknown): void {
  if (!isJsonObject(event) || event['type'] !== 'error') return;
  const {code, message} = event;
  throw new ProviderError(
    typeof code === 'string' ? code : 'error',
    typeof message === 'string' ? message : 'no message',
  );
}

/** Never throws. */
export function toModelFailure(error: unknown, context: FaultContext): ModelFailure {
  if (error instanceof GuardError) return failure(error.kind, error.message, context);
  const fault = readFault(error);
  const kind = fault.status === undefined ? unansweredKind(error, fault) : answeredKind(fault);
  const retryAfterMs = isPassing(kind) ? readRetryAfter(fault.headers) : undefined;
  const text = describe(kind, fault, error, context) + waitText(retryAfterMs);
  const found = failure(kind, text, isAbsent(error, context) ? brief(context) : context);
  if (!isPassing(kind)) return found;
  if (fault.headers.get('x-should-retry') === 'false' || isLasting(error))
    return {...found, retryable: false};
  return retryAfterMs === undefined ? found : {...found, retryAfterMs};
}

function waitText(retryAfterMs = 0): string {
  return retryAfterMs < 1_000 ? '' : `; it asks to wait ${Math.ceil(retryAfterMs / 1_000)} s`;
}

/** Nobody waits minutes for a server of this machine that does not run. */
function isAbsent(error: unknown, {isLocal}: FaultContext): boolean {
  return isLocal === true && systemCode(error) === 'ECONNREFUSED';
}

/** Without a time, a few short pauses are made. */
function brief({retryMs, ...context}: FaultContext): FaultContext {
  return retryMs === 0 ? {...context, retryMs} : context;
}

/** A failure whose message names the model and contains no key. Transient failures have `jitter` and `retryMs`. */
export function failure(
  kind: ModelFailureCode,
  message: string,
  {name, apiKey, random, retryMs}: Omit<FaultContext, 'baseUrl'>,
): ModelFailure {
  const text = redact(`${name}: ${message}`, apiKey);
  if (!isPassing(kind)) return {kind, message: text};
  const time = retryMs === undefined ? {} : {retryMs};
  return {kind, message: text, jitter: random(), ...time};
}

function isPassing(kind: ModelFailureCode): boolean {
  return kind === 'rateLimited' || kind === 'overloaded' || kind === 'network';
}

/** OpenAI quotes part of an invalid key; that part is hidden as well. */
function redact(text: string, apiKey: string): string {
  const hidden = apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  return hidden
    .replaceAll(/\b(?:sk|pk|key)-[\w*.-]{4,}/g, '[key]')
    .replaceAll(/bearer\s+\S+/gi, '[key]');
}

/**
 * Reads errors of both SDKs and of the system. An SDK error has `status`, `headers` and `error`: in OpenAI's, `error` is the
 * object that describes the error, in Anthropic's the object around it.
 */
function readFault(error: unknown): Fault {
  const {status, headers, error: body, ...own} = fieldsOf(error);
  const inner = fieldsOf(fieldsOf(body)['error'] ?? body);
  const words = [inner['type'], inner['code'], own['type'], own['code']];
  const {message} = inner;
  return {
    status: typeof status === 'number' ? status : undefined,
    words: words.filter((word) => typeof word === 'string').join(' '),
    message: oneLine(typeof message === 'string' ? message : reasonOf(error)),
    headers: headers instanceof Headers ? headers : new Headers(),
  };
}

/** The message of an SDK error, without the status at its start. */
function reasonOf(error: unknown): string {
  const text = messageOf(error).replace(/^\d{3} (?:status code \(no body\)$)?/, '');
  return text.trim() === '' ? 'no reason given' : text;
}

/** The provider's message is more specific than the status: a 429 may mean an account without credit. */
const spoken: readonly (readonly [RegExp, ModelFailureCode])[] = [
  [
    /insufficient_quota|billing_(?:error|hard_limit|not_active)|spend_limit|spend(?:ing)? limit|credit balance|exceeded your current quota/i,
    'billing',
  ],
  [
    /context_length_exceeded|request_too_large|prompt is too long|maximum context length|context (?:window|size|length)|input is too long|exceed_context_size/i,
    'contextOverflow',
  ],
  [/content_filter|content_policy|content management policy/i, 'refused'],
  [toolless, 'unsupported'],
  [gone, 'unsupported'],
  [/authentication_error|permission_error|invalid_api_key/i, 'auth'],
  [/rate_limit_(?:error|exceeded)/i, 'rateLimited'],
  [/overloaded_error|timeout_error|\bapi_error|server_error|service_unavailable/i, 'overloaded'],
];

function spokenKind({words, message}: Fault): ModelFailureCode | undefined {
  return spoken.find(([pattern]) => pattern.test(`${words} ${message}`))?.[1];
}

const byStatus: Readonly<Record<number, ModelFailureCode>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  408: 'overloaded',
  413: 'contextOverflow',
  429: 'rateLimited',
  501: 'unsupported',
  505: 'unsupported',
};

function answeredKind(fault: Fault): ModelFailureCode {
  const {status = 0} = fault;
  if (isRedirect(status)) return 'unsupported';
  const said = spokenKind(fault);
  if (said === 'billing' || said === 'unsupported') return said;
  const known = byStatus[status];
  if (known) return known;
  if (status >= 500) return 'overloaded';
  return said === 'contextOverflow' || said === 'refused' ? said : 'unsupported';
}

/** The kind of an error without a status: an error event in a stream, an unreadable reply, or no connection. */
function unansweredKind(error: unknown, fault: Fault): ModelFailureCode {
  if (isUnreadable(error)) return 'protocol';
  if (systemCode(error) !== undefined) return 'network';
  return spokenKind(fault) ?? 'protocol';
}

function isUnreadable(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR)/.test(codeOf(error));
}

/** In ms, from `retry-after-ms` or `retry-after` (seconds or an HTTP date). */
function readRetryAfter(headers: Headers): number | undefined {
  const ms = toNumber(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const after = headers.get('retry-after') ?? '';
  const seconds = toNumber(after);
  if (seconds !== undefined) return seconds * 1_000;
  const date = /[a-z]{3}/i.test(after) ? Date.parse(after) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function toNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
