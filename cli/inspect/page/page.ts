/** The page of the inspector: served, or as one file with its data. */

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {partReply, tagOf} from '../../serve/page/page.ts';
import {shippedFile} from '../../version.ts';
import {pageScript} from './bundle.ts';

const folder = 'cli/inspect/page/browser';

interface Asset {
  readonly type: string;
  readonly read: () => string | Promise<string>;
}

const assets: Readonly<Record<string, Asset>> = {
  '/': {type: 'text/html; charset=utf-8', read: () => pagePart('index.html')},
  '/page/icon.svg': {type: 'image/svg+xml', read: () => pagePart('icon.svg')},
  '/page/style.css': {type: 'text/css; charset=utf-8', read: pageStyle},
  '/page/main.js': {type: 'text/javascript; charset=utf-8', read: pageScript},
};

/** Undefined for a path that is not of the page. */
export async function pageResponse(
  path: string,
  ifNoneMatch?: string,
): Promise<Response | undefined> {
  const asset = Object.hasOwn(assets, path) ? assets[path] : undefined;
  if (!asset) return undefined;
  const body = await asset.read();
  return partReply({body, type: asset.type, tag: tagOf(body)}, ifNoneMatch);
}

/** The page as one file that needs no server. It may execute its own script only, and connects to nothing. */
export async function pageFile(data: object): Promise<string> {
  const [style, script] = [pageStyle(), safeIn('script', await pageScript())];
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hashOf(script)}'`,
    `style-src 'sha256-${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  // Functions, because a text may hold what `replace` takes for a pattern.
  return pagePart('index.html')
    .replace(
      '<head>',
      () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace(/ *<link rel="icon"[^>]*>\n/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/ *<script type="module"[^>]*><\/script>\n/, '')
    .replace(/(<script type="application\/json" id="trace">)/, (tag) => tag + safeJson(data))
    .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
}

function pagePart(name: string): string {
  return readFileSync(shippedFile(`${folder}/${name}`), 'utf8');
}

/** The style sheets in the order of their names. */
function pageStyle(): string {
  const styles = shippedFile(`${folder}/styles`);
  const names = readdirSync(styles).filter((name) => name.endsWith('.css'));
  const texts = names.toSorted().map((name) => readFileSync(join(styles, name), 'utf8'));
  return texts.join('\n');
}

/** Neither ends the element nor begins a comment in it. */
function safeJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function safeIn(element: string, script: string): string {
  return script.replaceAll(new RegExp(`</(?=${element})|<!--`, 'gi'), (part) =>
    part.startsWith('</') ? String.raw`<\/` : String.raw`<\!--`,
  );
}
