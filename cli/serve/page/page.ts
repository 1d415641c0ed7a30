/**
 * The chat page of a submission. `/f/FORM` and `/s/ID` return the same document for every name: its script uses the HTTP
 * interface. In the sources each module is served by itself, stripped of its types; the package has one script.
 */

import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {extname} from 'node:path';

import {shippedFile} from '../../version.ts';

const folder = 'cli/serve/page/browser';
const isInSources = import.meta.url.endsWith('.ts');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
};

/** Loads nothing from elsewhere, and never executes messages. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

interface Served {
  readonly body: string;
  /** Hash of the body. */
  readonly tag: string;
}

const served = new Map<string, Served>();

/** Undefined for a path that is not of the page. */
export function pageResponse(path: string, ifNoneMatch?: string): Response | undefined {
  const name = fileOf(path);
  if (name === undefined) return undefined;
  const {body, tag} = isInSources ? readServed(name) : kept(name);
  const type = types[extname(name)] ?? 'application/octet-stream';
  return partReply({body, type, tag}, ifNoneMatch);
}

interface Part extends Served {
  readonly type: string;
}

/** A part of a page, or that it has not changed. */
export function partReply({body, type, tag}: Part, ifNoneMatch?: string): Response {
  const headers = {
    'content-type': type,
    'content-security-policy': contentPolicy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    etag: tag,
  };
  return ifNoneMatch === tag
    ? new Response(null, {status: 304, headers})
    : new Response(body, {headers});
}

export function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

function fileOf(path: string): string | undefined {
  if (/^\/[fs]\/[^/]+$/.test(path)) return 'index.html';
  const [, name] = /^\/page\/(style\.css|icon\.svg|main\.js)$/.exec(path) ?? [];
  if (name !== 'main.js') return name ?? sourceOf(path);
  return isInSources ? 'main.ts' : name;
}

function sourceOf(path: string): string | undefined {
  const [, name = ''] = /^\/page\/((?:sync\/)?[a-z-]+\.ts)$/.exec(path) ?? [];
  const isThere = isInSources && existsSync(new URL(`./browser/${name}`, import.meta.url));
  return name !== '' && isThere ? name : undefined;
}

function kept(name: string): Served {
  const known = served.get(name) ?? readServed(name);
  served.set(name, known);
  return known;
}

function readServed(name: string): Served {
  const place = name === 'main.js' ? `dist/${folder}` : folder;
  const text = readFileSync(shippedFile(`${place}/${name}`), 'utf8');
  const body = name.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  return {body, tag: tagOf(body)};
}
