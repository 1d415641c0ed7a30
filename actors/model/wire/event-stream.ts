/**
 * Reads an event stream (SSE) in linear time. The SDKs' own readers take time that grows with the square of what a
 * server sends, end an aborted stream as if it were complete, and hide the line that closes it.
 */

import {isJsonObject} from '../../../machines/domain/json.ts';
import {ProviderError} from './faults.ts';

/** What `data: [DONE]` becomes: the one event that is no JSON. */
export const doneMark = '[DONE]';

/** A stream that ends within a line drops that line; the lines before it count, ended by a blank one or not. */
export class EventStream {
  readonly #lines = new Lines();
  #name = '';
  #data: string[] = [];

  /**
   * The data, parsed, of the events that a chunk completes. Throws ProviderError for an error that the provider reports,
   * SyntaxError for data that is no JSON.
   */
  *take(chunk: Uint8Array): Generator {
    for (const line of this.#lines.take(chunk)) {
      if (line.startsWith('event:')) this.#name = valueOf(line);
      if (line.startsWith('data:')) this.#data.push(valueOf(line));
      if (line === '') yield* this.end();
    }
  }

  /** That of the event that no blank line has ended. Throws as `take`. */
  *end(): Generator {
    const [name, data] = [this.#name, this.#data];
    this.#name = '';
    this.#data = [];
    if (data.length > 0) yield parseEvent(name, data.join('\n'));
  }
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

/** The last line counts only when it is ended. */
class Lines {
  readonly #decoder = new TextDecoder();
  #open: string[] = [];
  #endedInReturn = false;

  /** Those that a chunk completes. */
  take(chunk: Uint8Array): readonly string[] {
    const decoded = this.#decoder.decode(chunk, {stream: true});
    const text = this.#endedInReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    if (decoded !== '') this.#endedInReturn = decoded.endsWith('\r');
    const lines = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    const last = lines.pop() ?? '';
    this.#open.push(lines[0] ?? last);
    if (lines[0] === undefined) return [];
    lines[0] = this.#open.join('');
    this.#open = [last];
    return lines;
  }
}
