/** The kind of content of a response, according to its headers. */

import {MIMEType} from 'node:util';

import {type Attempt, refused} from '../containment/denial.ts';

export interface Content {
  readonly isHtml: boolean;
  readonly charset: string | null;
}

const html = /^(text\/html|application\/xhtml\+xml)$/;
const text = /^(text\/(plain|markdown|x-markdown|csv)|application\/(json|x-ndjson|[\w.-]+\+json))$/;

/** Refused when it is not text that can be read as it is. */
export function contentOf(header: string | undefined): Attempt<Content> {
  const type = parseType(header ?? '');
  const essence = type?.essence ?? '';
  const isHtml = html.test(essence);
  if (type && (isHtml || text.test(essence))) {
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
