/** Turns the error of a call into a model failure by the HTTP status, the provider's message or the system's error code. */

import {isJsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailure, ModelFailureCode} from '../../../machines/domain/model.ts';

/** The facts about an error, for both SDKs and the system. */
interface Fault {
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

// Messages about failed calls and missing connections, for a person who can fix the cause.

/** Messages of servers about a model without tools, or about a server that was started without tool support. */
const toolless =
  /(?:does not|doesn't|don't|not) support (?:tool|function)|tools? (?:use |calling )?(?:is|are) not supported|support tool use|enable-auto-tool-choice|requires --jinja/i;

/** Messages of providers about a model that they do not have, or no longer. Most name the model to use instead. */
const gone =
  /model[_ ]not[_ ](?:found|exist)|model\b.*\b(?:does not exist|(?:has|have) been (?:deprecated|shut ?down|retired|removed|decommissioned)|(?:is|are) (?:deprecated|retired|shut ?down|not found)|no longer (?:available|supported|exists?))/i;

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

const meanings: Readonly<Partial<Record<ModelFailureCode, string>>> = {
  auth: 'the provider refused the key; check it and its permissions',
  billing: 'the account has no credit or has reached its limit; see the provider’s billing page',
  contextOverflow: 'the conversation is longer than the model can take',
  rateLimited: 'the provider limits the rate of calls',
  overloaded: 'the provider is overloaded or failing',
  refused: 'the provider refused the content',
  unsupported: 'the provider rejects the request, and would reject it again',
};

function describe(
  kind: ModelFailureCode,
  fault: Fault,
  error: unknown,
  context: FaultContext,
): string {
  const {status, message, words} = fault;
  const detail = status === undefined ? message : `${status}: ${message}`;
  const isOf = (texts: RegExp): boolean =>
    kind === 'unsupported' && texts.test(`${words} ${message}`);
  if (isOf(gone)) return missingText(detail, context);
  if (isOf(toolless)) {
    return `the model or its server does not support tools, which every role needs (${message}); choose another model`;
  }
  if (status !== undefined && isRedirect(status)) return describeRedirect(fault, context);
  if (nothingThere.has(status)) return describeMissing(detail, context);
  if (kind === 'network') return unreachedText(error, context);
  return `${meanings[kind] ?? 'the provider’s reply can’t be used'} (${detail})`;
}

const nothingThere: ReadonlySet<number | undefined> = new Set([404, 405, 410]);

/** True for a redirect. `status` is the status of a reply without success. */
export function isRedirect(status: number): boolean {
  return status < 400;
}

/** Shows only the host of the target, because a path or a query may contain a secret. */
function describeRedirect({status, headers}: Fault, {name, baseUrl}: FaultContext): string {
  const setting = `providers.${name.slice(0, name.indexOf('/'))}.base_url`;
  const where = placeOf(headers.get('location'), baseUrl);
  return `the server redirects elsewhere (${status}, ${where}), which is not followed; set ${setting} to the address that answers`;
}

/** The target of a redirect, without path and query. */
export function placeOf(location: string | null, baseUrl: string): string {
  const target = location === null ? null : URL.parse(location, baseUrl);
  if (target === null || !/^https?:$/.test(target.protocol)) return 'without saying where to';
  const isSame = target.origin === new URL(baseUrl).origin;
  return isSame ? `to another path of ${target.origin}` : `to ${oneLine(target.origin)}`;
}

/** The most common mistake with a private server is an address without `/v1`. */
function describeMissing(detail: string, {name, baseUrl}: FaultContext): string {
  if (new URL(baseUrl).pathname === '/') {
    const provider = name.slice(0, name.indexOf('/'));
    return `the server has nothing at this address (${detail}): /v1 may be missing; set providers.${provider}.base_url to ${new URL('/v1', baseUrl).href}`;
  }
  return missingText(detail, {name});
}

function missingText(detail: string, {name}: Pick<FaultContext, 'name'>): string {
  const slash = name.indexOf('/');
  return `the provider has no model ${name.slice(slash + 1)} (${detail}); quorate models ${name.slice(0, slash)} lists its models`;
}

const untrusted = /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO_|ERR_TLS_CERT_)/;
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER';
const withoutTunnel = 'ERR_PROXY_TUNNEL';

/** The server at an address. */
export interface Address {
  /** `ollama/qwen3` */
  readonly name?: string;
  readonly baseUrl: string;
  /** It is on this machine. */
  readonly isLocal?: boolean | undefined;
}

export function unreachedText(error: unknown, address: Address): string {
  const code = systemCode(error);
  if (code === withoutTunnel) {
    return `the proxy does not reach the provider; check HTTPS_PROXY (${oneLine(messageOf(error))})`;
  }
  if (code === 'ECONNREFUSED' && address.isLocal === true) return absentText(address);
  const text = `${meaningOf(code)} (${code ?? oneLine(messageOf(error))})`;
  return isAboutTls(code) ? text : text + proxyText(address);
}

/** How to start the programs of this machine whose addresses are well known. */
const starts: Readonly<Record<string, string>> = {
  ollama: 'is Ollama running? Start it: ollama serve',
  lmstudio: 'is the server of LM Studio running? Start it: lms server start',
  llamacpp: 'is llama-server running? Start it: llama-server --jinja -m FILE',
  vllm: 'is vLLM running? Start it: vllm serve MODEL',
};

function absentText({name = '', baseUrl, ...address}: Address): string {
  const provider = name.slice(0, name.indexOf('/'));
  const start = starts[provider] ?? 'is the server running?';
  return `nothing answers at ${new URL(baseUrl).host} (ECONNREFUSED); ${start}${proxyText({baseUrl, ...address})}`;
}

export interface ProxySetting {
  /** The variable that names it. */
  readonly name: string;
  /** Without user and password. */
  readonly origin: string;
  readonly isUsed: boolean;
}

/** The proxy that the environment names for addresses of this protocol. Node uses it only with NODE_USE_ENV_PROXY or --use-env-proxy. */
export function findProxy(protocol: 'http:' | 'https:'): ProxySetting | undefined {
  const scheme = protocol.slice(0, -1);
  const {globalAgent} = process.getBuiltinModule(
    protocol === 'https:' ? 'node:https' : 'node:http',
  );
  const {proxyEnv: used} = fieldsOf(fieldsOf(globalAgent)['options']);
  const variables = fieldsOf(used ?? process.env);
  const name = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()].find((each) => variables[each]);
  if (name === undefined) return undefined;
  const {protocol: by, host} = URL.parse(String(variables[name])) ?? {protocol: '', host: ''};
  return {name, origin: host ? `${by}//${host}` : 'not an address', isUsed: used !== undefined};
}

/** Begins with `; `, or is empty. */
export function proxyText({baseUrl, isLocal}: Address): string {
  const proxy = findProxy(baseUrl.startsWith('https:') ? 'https:' : 'http:');
  if (!proxy) return '';
  const {name, origin, isUsed} = proxy;
  if (isUsed) return `; ${name} is in use: ${origin} must run, or NO_PROXY exclude the address`;
  return isLocal ? '' : `; ${name} is set but not used: set NODE_USE_ENV_PROXY=1 to use it`;
}

function isAboutTls(code = ''): boolean {
  return untrusted.test(code) || code === withoutTls;
}

function meaningOf(code = ''): string {
  if (untrusted.test(code)) {
    return 'the server’s certificate is not trusted; check base_url, or name the file with the certificate of your own authority in NODE_EXTRA_CA_CERTS';
  }
  if (code === withoutTls) {
    return 'the server does not use TLS; check whether base_url should begin with http:';
  }
  return 'the provider can’t be reached; check its address and the network';
}

/** True if another call would fail in the same way. */
function isLasting(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  return isAboutTls(code) || isRefusedByProxy(error);
}

/** A proxy that answers 5xx has not reached the provider. */
function isRefusedByProxy(error: unknown): boolean {
  const {statusCode} = fieldsOf(error);
  return codeOf(error) === withoutTunnel && typeof statusCode === 'number' && statusCode < 500;
}

/** Of calls that exceeded a time limit: their kind is `network`. `settings`: the configuration table of the provider. */
export const timeoutMessages = {
  total: (ms: number, settings: string) => `no full reply within ${ms} ms (${settings}.timeout_ms)`,
  first: (ms: number, settings: string) => `no answer within ${ms} ms (${settings}.first_byte_ms)`,
  idle: (ms: number) => `the reply made no progress for ${ms} ms`,
};

const timeoutPattern =
  /\b(?:no full reply within|no answer within|the reply made no progress for) \d+ ms\b/;

export function isTimeoutMessage(message: string): boolean {
  return timeoutPattern.test(message);
}

function codeOf(error: unknown): string {
  const {code} = fieldsOf(error);
  return error instanceof Error && typeof code === 'string' ? code : '';
}

/** The code of the system or the HTTP client, such as ECONNREFUSED. The codes of providers are lower-case. */
function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^(?:E[A-Z]|CERT_|DEPTH_|SELF_|UNABLE_|ERR_)/.test(code) ? code : undefined;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function oneLine(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
