/** The address that the server prints: the only form, or a list of the forms; and the page of a form that is not served. */

import {escapeHtml, plainPage} from './docs/plain-page.ts';
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
  return plainPage('Quorate', `${list}<p>The HTTP API: <a href="/docs">/docs</a></p>`);
}

/** Where a form is filled in a browser. */
export function formPath(name: string): string {
  return `/f/${encodeURIComponent(name)}`;
}

/** Undefined for a path that names no form, and for a form that is served. */
export async function missingFormPage(path: string, forms: Forms): Promise<Response | undefined> {
  const [, encoded] = /^\/f\/([^/]+)$/.exec(path) ?? [];
  if (encoded === undefined || (await isServed(encoded, forms))) return undefined;
  const main = `<p>This address belongs to no form. It may have been mistyped, or the form is no longer offered.</p>
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
