/** Results of reading untrusted data: a value, or every reason why the data is refused. */

import {z} from 'zod';

import {isJsonObject, ownMember} from '../domain/json.ts';
import {capBytes} from '../domain/text-limits.ts';

export type Reading<Value> =
  | {readonly ok: true; readonly value: Value}
  | {readonly ok: false; readonly problems: readonly string[]};

/** A reading that may refuse a contradictory value: `otherwise` counts if no better one is given. */
export type AnswerReading<Value> =
  | Reading<Value>
  | {readonly ok: false; readonly problems: readonly string[]; readonly otherwise: Value};

/** Limit of a text from a model in one field, in bytes: later requests include the text again and again. */
export const maxFieldBytes = 64 * 1024;
/** Limit of the problems of one value, in bytes: they may name keys of any length. */
const maxProblemBytes = 4 * 1024;

/** A text from a model. A longer one is cut, with a note; lone surrogates are replaced: stores and terminals refuse them. */
export const boundedText = z
  .string()
  .overwrite((text) => capBytes(text.toWellFormed(), maxFieldBytes));

/** The same text, trimmed. */
export const modelText = boundedText.trim();

/** A text that is not blank. */
export const someText = modelText.min(1);

/** At least one text; together they may be as long as one text. */
export const someTexts = z
  .array(someText)
  .min(1)
  .max(20)
  .overwrite((texts) =>
    texts.map((text) => capBytes(text, Math.floor(maxFieldBytes / texts.length))),
  );

/** An object from a model. Optional members that are null or empty count as absent: some models fill in every member. */
export function objectOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const isGiven = ([name, value]: [string, unknown]) =>
    !isEmpty(value) || !(ownMember(shape, name) instanceof z.ZodExactOptional);
  return z.preprocess(
    (value) =>
      isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(isGiven)) : value,
    z.strictObject(shape),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A list from a model, empty when it is absent or null. */
export function optionalList<Item extends z.ZodType>(list: z.ZodArray<Item>) {
  return list.nullish().transform((items) => items ?? []);
}

export function refused(...problems: readonly string[]): Reading<never> {
  return {ok: false, problems};
}

/** Reads a value by a schema alone. */
export function readBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.infer<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success ? {ok: true, value: parsed.data} : refused(...problemsOf(parsed.error));
}

/** The reasons for refusing a value, cut to the limit for a model. */
export function problemsOf(error: z.ZodError): string[] {
  return capBytes(problemsIn(error).join('\n'), maxProblemBytes).split('\n');
}

/** Each problem below the root begins with its path: `tasks[0].id: …`. */
export function problemsIn({issues}: z.ZodError): string[] {
  return issues.map((issue) => {
    const {path} = issue;
    return path.length === 0
      ? plainProblem(issue)
      : `${z.core.toDotPath(path)}: ${plainProblem(issue)}`;
  });
}

/** Words a problem without terms of the schema library. */
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
