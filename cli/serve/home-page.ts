/** The start page: redirects to the only form, or lists the forms; and the page for a form that is not served. */

import {hash} from 'node:crypto';

import type {Forms, ServedForm} from './forms.ts';

export function homePage(forms: readonly ServedForm[]): Response {
  const [only, ...others] = forms.map(({name}) => formPath(name));
  if (only !== undefined && others.length === 0)
    return new Response(undefined, {status: 302, headers: {location: only}});
  const items = forms.map(
    ({name, questionnaire: {title}}) =>
      `<li><a href="${formPath(name)}">${escapeHtml(title)}</a></li>`,
  );
  const list = items.length === 0 ? '<p>No forms are served.</p>' : `<ul>${items.join('')}</ul>`;
  return plainPage(
    'Quorate',
    `${list}<p>The HTTP API: <a href="/openapi.json">/openapi.json</a></p>`,
  );
}

/** The path at which a browser fills in a form. */
export function formPath(name: string): string {
  return `/f/${encodeURIComponent(name)}`;
}

/** Undefined for a path that is not of a form, and for a served form. */
export async function missingFormPage(path: string, forms: Forms): Promise<Response | undefined> {
  const [, encoded] = /^\/f\/([^/]+)$/.exec(path) ?? [];
  if (encoded === undefined || (await isServed(encoded, forms))) return undefined;
  const main = `<p>There is no form at this address. It may have been mistyped, or the form is no longer served.</p>
<p><a href="/">Forms of this server</a></p>`;
  return plainPage('Form not found', main, 404);
}

async function isServed(encoded: string, forms: Forms): Promise<boolean> {
  try {
    return (await forms.find(decodeURIComponent(encoded))) !== undefined;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}
`;
const styleHash = hash('sha256', style, 'base64');

/** A page without scripts and external resources. `main` is HTML. */
function plainPage(title: string, main: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>
${main}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
