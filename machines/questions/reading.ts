/** What was read from untrusted data: a value, or every reason why it is none. */

import {z} from 'zod';

import {capBytes} from '../domain/buffer.ts';

export type Reading<Value> =
  | {readonly ok: true; readonly value: Value}
  | {readonly ok: false; readonly problems: readonly string[]};

/** The most that a model may say in one field, in bytes: it is told to others, again and again. */
export const maxFieldBytes = 64 * 1024;
/** Of what is wrong with a value that was sent: its keys may be of any length. */
const maxProblemBytes = 4 * 1024;

/** A text from a model: what is too long is cut, and says so. Half a surrogate pair is none: stores and terminals refuse it. */
export const boundedText = z
  .string()
  .overwrite((text) => capBytes(text.toWellFormed(), maxFieldBytes));

/** The same, without the blanks around it. */
export const modelText = boundedText.trim();

/** Some text, not blank. */
export const someText = modelText.min(1);

/** Several texts, at least one: as long together as one may be. */
export const someTexts = z
  .array(someText)
  .min(1)
  .max(20)
  .overwrite((texts) =>
    texts.map((text) => capBytes(text, Math.floor(maxFieldBytes / texts.length))),
  );

export function refused(...problems: readonly string[]): Reading<never> {
  return {ok: false, problems};
}

/** Reads by a schema alone. */
export function readBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.infer<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success ? {ok: true, value: parsed.data} : refused(...problemsOf(parsed.error));
}

/** Why a value is refused; together no more than a model is to be told. */
export function problemsOf(error: z.ZodError): string[] {
  return capBytes(problemsIn(error).join('\n'), maxProblemBytes).split('\n');
}

/** Each names its place: `tasks[0].id: …`. */
export function problemsIn({issues}: z.ZodError): string[] {
  return issues.map((issue) => {
    const {path} = issue;
    return path.length === 0
      ? plainProblem(issue)
      : `${z.core.toDotPath(path)}: ${plainProblem(issue)}`;
  });
}

/** In words that need no knowledge of the schema library. */
function plainProblem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value)).join(', ');
    return `expected ${issue.values.length > 1 ? 'one of ' : ''}${values}`;
  }
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'too_big')
    return `must ${boundText(issue.origin, `at most ${issue.maximum}`)}`;
  if (issue.code === 'unrecognized_keys')
    return `unknown key: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  return issue.message
    .replace(/^Invalid input: (?=.)/, '')
    .replace(/^(expected .*), received undefined$/, '$1, but it is missing');
}

function tooSmall({origin, minimum}: z.core.$ZodIssueTooSmall): string {
  const isBlank = ['string', 'array'].includes(origin) && Number(minimum) === 1;
  return isBlank ? 'must not be empty' : `must ${boundText(origin, `at least ${minimum}`)}`;
}

function boundText(origin: string, bound: string): string {
  if (origin === 'string') return `have ${bound} characters`;
  return origin === 'array' ? `have ${bound} items` : `be ${bound}`;
}
