/** Fetches one page of the web as text, or returns the reason why it can't be fetched. */

import type {LookupAddress} from 'node:dns';
import {type IncomingMessage, request as requestPlain, STATUS_CODES} from 'node:http';
import {request as requestSecure} from 'node:https';
import {isIP, type LookupFunction} from 'node:net';
import {type Duplex, Transform} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {TextDecoder, MIMEType} from 'node:util';

import {type Attempt, type Denial, errorCode, failed, refused} from '../containment/denial.ts';
import {unlessAborted} from '../unless-aborted.ts';
import {htmlText, type PageText} from './html-text.ts';
import {unpackersFor} from './unpackers.ts';

interface FetchOptions {
  readonly access: Access;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Rejects on abort. */
export async function fetchPage(
  text: string,
  {access, maxBytes, signal}: FetchOptions,
): Promise<Attempt<Page>> {
  const start = parseTarget(text);
  if (!start.ok) return start;
  const {href, host} = start.value;
  try {
    const answer = await follow(start.value, access, signal);
    if (!answer.ok) return answer;
    const page = await readPage(answer.value, maxBytes, signal);
    signal.throwIfAborted();
    if (!page.ok || page.value.url === href) return page;
    const notes = [`redirected from ${href}`, ...page.value.notes];
    return {ok: true, value: {...page.value, notes}};
  } catch (error) {
    const code = errorCode(error);
    if (signal.aborted || code === undefined) throw error;
    return {ok: false, denial: networkFailure(host, code)};
  }
}

const passing = /^(ECONNRESET|ECONNREFUSED|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|ERR_STREAM_)/;

function networkFailure(host: string, code: string): Denial {
  const denial = failed('network', `url: ${host} could not be read: ${code}`);
  return {...denial, kind: 'failed', retryable: passing.test(code)};
}

// Sends GET requests and follows redirects: every hop is checked, and connects to the addresses that were checked.

const maxRedirects = 5;

interface Answer {
  readonly url: URL;
  /** Its body is not read yet. */
  readonly response: IncomingMessage;
}

/** Rejects on abort and when the network fails. */
async function follow(
  url: URL,
  access: Access,
  signal: AbortSignal,
  redirectsLeft = maxRedirects,
): Promise<Attempt<Answer>> {
  const addresses = await unlessAborted(addressesOf(url, access), signal);
  if (!addresses.ok) return addresses;
  const response = await get(url, addresses.value, signal);
  const location = locationOf(response);
  if (location === undefined) return {ok: true, value: {url, response}};
  response.destroy();
  const next = parseTarget(location, url);
  if (!next.ok) return next;
  if (redirectsLeft > 0) return follow(next.value, access, signal, redirectsLeft - 1);
  const denial = failed('redirects', `url: leads to more than ${maxRedirects} redirects`);
  return {ok: false, denial};
}

function locationOf({statusCode, headers}: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode ?? 0) ? headers.location : undefined;
}

/** It has an agent of its own, so that no proxy of the environment can redirect the connection. */
function get(
  url: URL,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const headers = {
    accept: 'text/html, application/xhtml+xml, text/markdown, text/plain, application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': 'quorate',
  };
  request(url, {agent: false, headers, lookup: pinnedTo(addresses), signal})
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

/** Names are resolved once, for the check: a second lookup could return another address. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, {all}, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

// Checks the target of a request: the form of the URL, then the addresses of its host.

interface Access {
  /** Resolves with all addresses of a host's name. Rejects as `dns.lookup` does. */
  readonly resolveHost: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
}

/** Refused when it is not an http(s) URL, or contains a name or password. `base`: the base of a relative URL. */
function parseTarget(text: string, base?: URL): Attempt<URL> {
  const url = URL.parse(text, base?.href);
  if (!url) return deny('url_invalid', 'url: is not an absolute URL such as https://example.com/');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return deny('ssrf', `url: ${url.protocol.slice(0, 40)} is not fetched, only http: and https:`);
  }
  if (url.username !== '' || url.password !== '') {
    return deny('url_credentials', 'url: contains a name or password; leave them out');
  }
  url.hash = '';
  return {ok: true, value: url};
}

/** The addresses to connect to, all of them allowed: a single forbidden one denies the host. */
async function addressesOf(
  {hostname}: URL,
  {resolveHost, isAllowed}: Access,
): Promise<Attempt<readonly LookupAddress[]>> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const family = isIP(host);
  try {
    const found = family === 0 ? await resolveHost(host) : [{address: host, family}];
    const closed = found.find(({address}) => !isAllowed(address));
    if (!closed && found.length > 0) return {ok: true, value: found};
    const why = closed ? `(${closed.address}) is not on the public internet` : 'has no address';
    return deny('ssrf', `url: ${host} ${why}; only public addresses are fetched`);
  } catch (error) {
    return {ok: false, denial: unresolved(host, error)};
  }
}

function deny(code: string, message: string): Attempt<never> {
  return {ok: false, denial: refused(code, message)};
}

function unresolved(host: string, error: unknown): Denial {
  const code = errorCode(error);
  if (code === undefined) throw error;
  if (code === 'ENOTFOUND') return failed('dns', `url: there is no host ${host}`);
  const denial = failed('dns', `url: the host ${host} could not be looked up: ${code}`);
  return {...denial, kind: 'failed', retryable: true};
}

// Reads a response as a page: its text, with notes of omitted parts.

// The kind of content of a response, according to its headers.

interface Content {
  readonly isHtml: boolean;
  readonly charset: string | null;
}

const htmlType = /^(text\/html|application\/xhtml\+xml)$/;
const textType =
  /^(text\/(plain|markdown|x-markdown|csv)|application\/(json|x-ndjson|[\w.-]+\+json))$/;

/** Refused when it is not text that can be read as it is. */
function contentOf(header: string | undefined): Attempt<Content> {
  const type = parseType(header ?? '');
  const essence = type?.essence ?? '';
  const isHtml = htmlType.test(essence);
  if (type && (isHtml || textType.test(essence))) {
    return {ok: true, value: {isHtml, charset: type.params.get('charset')}};
  }
  const what = essence === '' ? 'does not say what it is' : `is ${essence.slice(0, 80)}`;
  const message = `url: the page ${what}; only HTML, plain text, Markdown, CSV and JSON are read`;
  return {ok: false, denial: refused('content_type', message)};
}

function parseType(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

// The body of a response: decompressed, up to a size.

class TooLarge extends Error {}

/** Denied `too_large` as soon as more than `maxBytes` have arrived, compressed or decompressed. Rejects when the network fails. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Attempt<Buffer>> {
  const unpackers = unpackersFor(response.headers['content-encoding'] ?? 'identity');
  if (!unpackers)
    return dropped(response, failed('encoding', 'the page is compressed in an unknown way'));
  if (Number(response.headers['content-length']) > maxBytes) {
    return dropped(response, tooLarge(maxBytes));
  }
  const streams = [capped(maxBytes), ...unpackers.flatMap((each) => [each, capped(maxBytes)])];
  try {
    const last = streams.at(-1) ?? response;
    const [bytes] = await Promise.all([buffer(last), pipeline([response, ...streams])]);
    return {ok: true, value: bytes};
  } catch (error) {
    if (error instanceof TooLarge) return {ok: false, denial: tooLarge(maxBytes)};
    if (!/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(errorCode(error) ?? '')) throw error;
    return {ok: false, denial: failed('encoding', 'the page is not compressed as its header says')};
  }
}

function capped(maxBytes: number): Duplex {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

function dropped(response: IncomingMessage, denial: Denial): Attempt<never> {
  response.destroy();
  return {ok: false, denial};
}

function tooLarge(maxBytes: number): Denial {
  return failed('too_large', `the page has more than ${maxBytes} bytes and was not read further`);
}

/** The maximum text of one page for a model. */
const maxLength = 100_000;
const maxTitleLength = 300;

export interface Page {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** Differences from the page itself. */
  readonly notes: readonly string[];
}

/** Reads the answer to its end, or discards it. Rejects on abort and when the network fails. */
async function readPage(
  {url, response}: Answer,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Attempt<Page>> {
  const content = acceptable(response);
  if (!content.ok) {
    response.destroy();
    return content;
  }
  const body = await readBody(response, maxBytes);
  if (!body.ok) return body;
  const source = decodeText(body.value, content.value);
  const text = content.value.isHtml
    ? await htmlText(source, {base: url, maxLength, signal})
    : plainText(source);
  return {ok: true, value: toPage(url, text)};
}

function acceptable({statusCode = 0, headers}: IncomingMessage): Attempt<Content> {
  if (statusCode >= 200 && statusCode < 300) return contentOf(headers['content-type']);
  return {ok: false, denial: statusFailure(statusCode)};
}

function statusFailure(status: number): Denial {
  const message = `url: the server answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const isPassing = status === 408 || status === 429 || status >= 500;
  return {...failed('http_status', message), kind: 'failed', retryable: isPassing};
}

function plainText(source: string): PageText {
  const text = source.slice(0, maxLength);
  return {title: '', text, hidden: 0, isCut: text.length < source.length};
}

function toPage(url: URL, {title, text, hidden, isCut}: PageText): Page {
  const notes = [
    ...(hidden > 0 ? [`${hidden} hidden parts left out`] : []),
    ...(isCut ? [`cut after ${text.length} characters`] : []),
    ...(text.trim() === '' ? ['the page has no text'] : []),
  ];
  const heading = visible(title.trim().slice(0, maxTitleLength)).replaceAll(/\s+/g, ' ');
  return {url: url.href, title: heading, text: visible(text), notes};
}

/** Removes control and ignorable characters, except joiners of letters and emoji and U+FE0F. */
function visible(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t]|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toWellFormed()
    .trimEnd();
}

// Decodes the bytes of a page to text.

/** The byte order mark decides, then the header, then the declaration in HTML, then UTF-8. Never throws. */
function decodeText(bytes: Buffer, {charset, isHtml}: Content): string {
  const decoder =
    marked(bytes) ??
    decoderFor(charset) ??
    decoderFor(isHtml ? declaredIn(bytes) : undefined) ??
    new TextDecoder();
  return decoder.decode(bytes);
}

function marked(bytes: Buffer): TextDecoder | undefined {
  const mark = bytes.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return new TextDecoder();
  if (mark.startsWith('fffe')) return new TextDecoder('utf-16le');
  return mark.startsWith('feff') ? new TextDecoder('utf-16be') : undefined;
}

/** Undefined for an unknown name. */
function decoderFor(label: string | null | undefined): TextDecoder | undefined {
  try {
    return label ? new TextDecoder(label) : undefined;
  } catch {
    return undefined;
  }
}

/** A declaration that is readable as ASCII rules out UTF-16, even if it states UTF-16. */
function declaredIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 1_024).toString('latin1');
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label;
}
