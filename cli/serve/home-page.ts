/** The address that the server prints: the only form, or a list of the forms. */

import type {ServedForm} from './forms.ts';
import {escapeHtml, plainPage} from './plain-page.ts';

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
