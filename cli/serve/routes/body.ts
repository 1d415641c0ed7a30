/** Reads the body of a request: limits its size, parses JSON, and checks it against the route's schema. */

import type {ZodType} from 'zod';

import {problemsIn} from '../../../machines/questions/reading.ts';
import {refusal} from './reply.ts';

export type Read<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly reply: Response};

/** An empty body is read as `{}`. */
export async function readBody<T>(
  request: Request,
  schema: ZodType<T>,
  maxBytes: number,
): Promise<Read<T>> {
  const text = await readText(request, maxBytes);
  if (!text.ok) return text;
  if (text.value !== '' && !isJson(request))
    return malformed('send the body as JSON, with Content-Type: application/json');
  const parsed = parse(text.value === '' ? '{}' : text.value);
  if (!parsed.ok) return parsed;
  return checked(schema, parsed.value);
}

/** A problem names the member: `text: too long`. */
export function checked<T>(schema: ZodType<T>, given: unknown): Read<T> {
  const result = schema.safeParse(given);
  if (result.success) return {ok: true, value: result.data};
  return malformed(problemsIn(result.error).map(withoutPrefix).join('; '));
}

/** Removes the prefix of the schema library. */
function withoutPrefix(problem: string): string {
  return problem
    .replace(/(?<=^|: )Invalid (?:input|option|discriminator value)[:.] */, '')
    .replace(/(?<=^|: )[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

function malformed(message: string): Read<never> {
  return {ok: false, reply: refusal(400, 'malformed', message)};
}

function isJson(request: Request): boolean {
  return /^application\/json\b/i.test(request.headers.get('content-type') ?? '');
}

function parse(text: string): Read<unknown> {
  try {
    return {ok: true, value: JSON.parse(text)};
  } catch {
    return malformed('the body is not JSON');
  }
}

/** Never holds more than the limit, independent of the request's stated length. */
async function readText(request: Request, maxBytes: number): Promise<Read<string>> {
  const tooLarge = (): Read<never> => ({
    ok: false,
    reply: refusal(413, 'too_large', `the body is larger than ${maxBytes} bytes`),
  });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return tooLarge();
    parts.push(part);
  }
  try {
    return {ok: true, value: new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(parts))};
  } catch {
    return malformed('the body is not UTF-8');
  }
}
