/** What was read from untrusted data: a value, or every reason why it is none. */

import {z} from 'zod';

export type Reading<Value> =
  | {readonly ok: true; readonly value: Value}
  | {readonly ok: false; readonly problems: readonly string[]};

/** A text from a model. Half a surrogate pair is none: stores and terminals refuse it. */
export const modelText = z
  .string()
  .overwrite((text) => text.toWellFormed())
  .trim();

/** Some text, not blank. */
export const someText = modelText.min(1);

export function refused(...problems: readonly string[]): Reading<never> {
  return {ok: false, problems};
}

/** Reads by a schema alone. */
export function readBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.infer<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success ? {ok: true, value: parsed.data} : refused(z.prettifyError(parsed.error));
}
