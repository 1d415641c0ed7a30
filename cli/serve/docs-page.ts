/** The OpenAPI document as a page that a person reads: one file, no script, nothing from elsewhere. */

import {hash} from 'node:crypto';

import type {Route} from './route.ts';

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}
article{border-top:1px solid #8885;padding:.75rem 0}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
b{text-transform:uppercase}
pre{overflow-x:auto;padding:.75rem;border:1px solid #8885;border-radius:.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dd{margin:0}
`;

const titles = {
  anyone: 'Without a token',
  respondent: 'With the token of a submission',
  owner: 'With the owner’s token',
} as const;

const example = `curl -s -X POST localhost:8787/v1/forms/FORM/submissions
curl -s localhost:8787/v1/submissions/ID/messages -H "Authorization: Bearer TOKEN" \\
     -H "Content-Type: application/json" -H "Idempotency-Key: 1" -d '{"text": "English"}'`;

export function docsPage(routes: readonly Route[]): Response {
  const sections = Object.entries(titles).map(([access, title]) => {
    const shown = routes.filter((route) => route.access === access);
    return `<section><h2>${title}</h2>${shown.map(articleOf).join('')}</section>`;
  });
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Quorate: HTTP API</title>
<style>${style}</style></head><body><main><h1>Quorate: HTTP API</h1>
<p>JSON both ways. An error is <code>{"error": {"code", "message"}}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
<pre>${escape(example)}</pre>${sections.join('')}</main></body></html>`;
  const styleHash = hash('sha256', style, 'base64');
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
  });
}

function articleOf({
  method,
  path,
  summary,
  detail,
  query,
  headers,
  replies,
  errors,
}: Route): string {
  const rows = [
    ...Object.entries({...query, ...headers}),
    ...Object.entries(replies).map(([status, {text}]) => [status, text] as const),
    ...Object.entries(errors ?? {}),
  ];
  const list = rows.map(([name, text]) => `<dt><code>${escape(name)}</code><dd>${escape(text)}`);
  return `<article><h3><b>${method}</b> <code>${escape(path)}</code></h3><p>${escape(summary)}${
    detail === undefined ? '' : ` ${escape(detail)}`
  }</p><dl>${list.join('')}</dl></article>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
