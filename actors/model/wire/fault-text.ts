/** Messages about failed calls and missing connections, for a person who can fix the cause. */

import type {ModelFailureCode} from '../../../machines/domain/model.ts';
import type {Fault, FaultContext} from './faults.ts';

/** Messages of servers about a model without tools, or about a server that was started without tool support. */
export const toolless =
  /(?:does not|doesn't|don't|not) support (?:tool|function)|tools? (?:use |calling )?(?:is|are) not supported|support tool use|enable-auto-tool-choice|requires --jinja/i;

/** Messages of providers about a model that they do not have, or no longer. Most name the model to use instead. */
export const gone =
  /model[_ ]not[_ ](?:found|exist)|model\b.*\b(?:does not exist|(?:has|have) been (?:deprecated|shut ?down|retired|removed|decommissioned)|(?:is|are) (?:deprecated|retired|shut ?down|not found)|no longer (?:available|supported|exists?))/i;

const meanings: Readonly<Partial<Record<ModelFailureCode, string>>> = {
  auth: 'the provider refused the key; check it and its permissions',
  billing: 'the account has no credit or has reached its limit; see the provider’s billing page',
  contextOverflow: 'the conversation is longer than the model can take',
  rateLimited: 'the provider limits the rate of calls',
  overloaded: 'the provider is overloaded or failing',
  refused: 'the provider refused the content',
  unsupported: 'the provider rejects the request, and would reject it again',
};

export function describe(
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
export function isLasting(error: unknown): boolean {
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

export function codeOf(error: unknown): string {
  const {code} = fieldsOf(error);
  return error instanceof Error && typeof code === 'string' ? code : '';
}

/** The code of the system or the HTTP client, such as ECONNREFUSED. The codes of providers are lower-case. */
export function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^(?:E[A-Z]|CERT_|DEPTH_|SELF_|UNABLE_|ERR_)/.test(code) ? code : undefined;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function oneLine(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
