/** The OpenAPI document as an HTML page: routes, their bodies with examples, and their statuses. */

import {isJsonObject, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import type {Route} from '../routes/route.ts';
import {examplesOf} from './example.ts';
import {escapeHtml, plainPage} from './plain-page.ts';

const titles = {
  anyone: 'Without a token',
  respondent: 'With the token of a submission',
  owner: 'With the owner’s token',
} as const;

const example = `curl -s -X POST localhost:8787/v1/forms/FORM/submissions
curl -s localhost:8787/v1/submissions/ID/messages -H "Authorization: Bearer TOKEN" \\
     -H "Content-Type: application/json" -H "Idempotency-Key: 1" -d '{"text": "English"}'`;

/** `document`: the OpenAPI document of the same routes. */
export function docsPage(routes: readonly Route[], document: JsonObject): Response {
  const sections = Object.entries(titles).map(([access, title]) => {
    const shown = routes.filter((route) => route.access === access);
    return `<section><h2>${title}</h2>${shown.map((route) => articleOf(route, document)).join('')}</section>`;
  });
  return plainPage(
    'Quorate: HTTP API',
    `<p>JSON both ways. An error is <code>{"error": {"code", "message"}}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
<pre>${escapeHtml(example)}</pre>${sections.join('')}`,
  );
}

function articleOf(route: Route, document: JsonObject): string {
  const {method, path, summary, detail, query, headers, replies, errors} = route;
  const operation = at(document, 'paths', path, method);
  const rows = [
    ...Object.entries({...query, ...headers}).map(([name, text]) => rowOf(name, text)),
    ...(route.body ? [rowOf('body', '', bodyIn(operation['requestBody'], document))] : []),
    ...Object.entries(replies).map(([status, {text}]) =>
      rowOf(status, text, bodyIn(at(operation, 'responses')[status], document)),
    ),
    ...Object.entries(errors ?? {}).map(([status, text]) => rowOf(status, text)),
  ];
  return `<article><h3><b>${method}</b> <code>${escapeHtml(path)}</code></h3><p>${escapeHtml(summary)}${
    detail === undefined ? '' : ` ${escapeHtml(detail)}`
  }</p><dl>${rows.join('')}</dl></article>`;
}

function rowOf(name: string, text: string, examples: readonly Json[] = []): string {
  const shown = examples.map((each) => `<pre>${escapeHtml(JSON.stringify(each, null, 1))}</pre>`);
  return `<dt><code>${escapeHtml(name)}</code><dd>${escapeHtml(text)}${shown.join('')}`;
}

/** Examples of a JSON body; none of another body. */
function bodyIn(described: Json | undefined, document: JsonObject): Json[] {
  const {schema} = at(described, 'content', 'application/json');
  return schema === undefined ? [] : examplesOf(schema, at(document, 'components', 'schemas'));
}

function at(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const [first, ...rest] = path;
  if (!isJsonObject(value)) return {};
  return first === undefined ? value : at(value[first], ...rest);
}
