/** The start page: redirects to the only form, or lists the forms; and the page for a form that is not served. */

import {type Message, t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import type {Forms, ServedForm} from './forms.ts';

/** `accepted`: the header `Accept-Language`. */
export function homePage(forms: readonly ServedForm[], accepted: string | null): Response {
  const [only, ...others] = forms.map(({name}) => formPath(name));
  if (only !== undefined && others.length === 0)
    return new Response(undefined, {status: 302, headers: {location: only}});
  const reader = readerOf(accepted);
  const cards = forms.map((form) => cardOf(form, reader)).join('');
  const list = forms.length === 0 ? paragraph(t`No forms are served.`, reader) : cards;
  const api = `<p class="keys"><a class="quiet" href="/openapi.json">${words(t`The HTTP API`, reader)}</a></p>`;
  return page(t`Forms`, `<nav class="forms">${list}</nav>${api}`, {reader});
}

function cardOf({name, questionnaire}: ServedForm, reader: Reader): string {
  const {title, description = '', fields} = questionnaire;
  const [first = ''] = description.split('\n');
  const lead = first === '' ? '' : `<p>${escapeHtml(first)}</p>`;
  const count = paragraph(t`${fields.length} {question|questions}`, reader, 'status');
  return `<a class="card" href="${formPath(name)}"><h2>${escapeHtml(title)}</h2>${lead}${count}</a>`;
}

/** The path at which a browser fills in a form. */
export function formPath(name: string): string {
  return `/f/${encodeURIComponent(name)}`;
}

/** Undefined for a path that is not of a form, and for a served form. */
export async function missingFormPage(
  path: string,
  forms: Forms,
  accepted: string | null,
): Promise<Response | undefined> {
  const [, encoded] = /^\/f\/([^/]+)$/.exec(path) ?? [];
  if (encoded === undefined || (await isServed(encoded, forms))) return undefined;
  const reader = readerOf(accepted);
  const why = t`There is no form at this address. It may have been mistyped, or the form is no longer served.`;
  const link = `<p><a class="quiet" href="/">${words(t`Forms of this server`, reader)}</a></p>`;
  return page(t`Form not found`, paragraph(why, reader, 'lead') + link, {reader, status: 404});
}

async function isServed(encoded: string, forms: Forms): Promise<boolean> {
  try {
    return (await forms.find(decodeURIComponent(encoded))) !== undefined;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function readerOf(accepted: string | null): Reader {
  return {language: /^ja\b/i.test(accepted ?? '') ? 'ja' : 'en'};
}

/** As HTML. */
function words(message: Message, reader: Reader): string {
  return escapeHtml(say(message, reader));
}

function paragraph(message: Message, reader: Reader, kind = ''): string {
  return `<p class="${kind}">${words(message, reader)}</p>`;
}

interface PageOptions {
  readonly reader: Reader;
  readonly status?: number;
}

/** A page in the design of the forms, without scripts and external resources. `main` is HTML. */
function page(title: Message, main: string, {reader, status = 200}: PageOptions): Response {
  const head = words(title, reader);
  const html = `<!doctype html><html lang="${reader.language ?? 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${head}</title><link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css"></head><body><div class="page"><main class="home"><h1>${head}</h1>
${main}</main></div></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
