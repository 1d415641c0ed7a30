/** What was read from untrusted data: a value, or every reason why it is none. */

import {z} from 'zod';

export type Reading<Value> =
  | {readonly ok: true; readonly value: Value}
  | {readonly ok: false; readonly problems: readonly string[]};

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
