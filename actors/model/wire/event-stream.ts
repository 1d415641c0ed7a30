/**
 * Reads an event stream (SSE) in linear time. The SDKs' own readers take time that grows with the square of what a
 * server sends, end an aborted stream as if it were complete, and hide the line that closes it.
 */

import {isJsonObject} from '../../../machines/domain/json.ts';
import {ProviderError} from './faults.ts';

/** What `data: [DONE]` becomes: the one event that is no JSON. */
export const doneMark = '[DONE]';

/**
 * The events' data, parsed. Throws ProviderError for an error that the provider reports, SyntaxError for data that is no
 * JSON. A stream that ends within a line drops that line; the lines before it count, ended by a blank one or not.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator {
  let name = '';
  let data: string[] = [];
  for await (const lines of readLines(body)) {
    for (const line of lines) {
      if (line.startsWith('event:')) name = valueOf(line);
      if (line.startsWith('data:')) data.push(valueOf(line));
      if (line !== '') continue;
      if (data.length > 0) yield parseEvent(name, data.join('\n'));
      name = '';
      data = [];
    }
  }
  if (data.length > 0) yield parseEvent(name, data.join('\n'));
}

function valueOf(line: string): string {
  const value = line.slice(line.indexOf(':') + 1);
  return value.startsWith(' ') ? value.slice(1) : value;
}

function parseEvent(name: string, data: string): unknown {
  if (data.trim() === doneMark) return doneMark;
  const value: unknown = JSON.parse(data);
  const fields = fieldsOf(value);
  if (name !== 'error' && fields['type'] !== 'error' && !fields['error']) return value;
  const {type, code, message} = isJsonObject(fields['error']) ? fields['error'] : fields;
  throw new ProviderError(`${textOf(type)} ${textOf(code)}`, textOf(message) || 'no message');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The lines that each chunk completes. The last line counts only when it is ended. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  let endedInReturn = false;
  for await (const chunk of body) {
    const decoded = decoder.decode(chunk, {stream: true});
    const text = endedInReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') endedInReturn = decoded.endsWith('\r');
    const lines = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    const last = lines.pop() ?? '';
    if (lines[0] === undefined) {
      open.push(last);
      continue;
    }
    lines[0] = open.join('') + lines[0];
    yield lines;
    open = [last];
  }
}
