/** Reads a response as a page: its text, with notes of omitted parts. */

import {type IncomingMessage, STATUS_CODES} from 'node:http';

import {type Attempt, type Denial, failed} from '../containment/denial.ts';
import {readBody} from './body.ts';
import {decodeText} from './charset.ts';
import {type Content, contentOf} from './content.ts';
import type {Answer} from './follow.ts';
import {htmlText, type PageText} from './html-text.ts';

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
export async function readPage(
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
