/** The architect's plan: the order in which an interview asks for the fields of a form. */

import {z} from 'zod';

import {type Reading, readBy, refused} from '../questions/reading.ts';
import type {FormField} from './questionnaire.ts';

export const fieldOrderSchema = z
  .lazy(() =>
    z.object({
      fields: z
        .array(
          z.object({
            field_id: z.string().describe('The id of the field'),
            label: z.string().describe('Its label, unchanged'),
            intent: z.string().nullish().describe('Its intent, unchanged'),
            required: z.boolean().describe('Whether it must be answered, unchanged'),
          }),
        )
        .min(1)
        .describe('All fields of the form, in the order in which to ask for them'),
    }),
  )
  .describe('Submit the order of the interview');

/**
 * Reads the ids in their order. Refuses an unknown id, a repeated id and a plan without a required field. Optional fields
 * that the plan leaves out are added at the end.
 */
export function readFieldOrder(
  args: unknown,
  {fields}: {readonly fields: readonly Pick<FormField, 'id' | 'required'>[]},
): Reading<readonly string[]> {
  const reading = readBy(fieldOrderSchema, args);
  if (!reading.ok) return reading;
  const named = reading.value.fields.map(({field_id}) => field_id);
  const problems = [
    ...named.flatMap((id, index) => (named.indexOf(id) < index ? [`${id} is named twice`] : [])),
    ...named
      .filter((id) => !fields.some((field) => field.id === id))
      .map((id) => `there is no field ${id}`),
    ...fields
      .filter(({id, required}) => required && !named.includes(id))
      .map(({id}) => `${id} is required and is not named`),
  ];
  const left = fields.map(({id}) => id).filter((id) => !named.includes(id));
  return problems.length > 0 ? refused(...problems) : {ok: true, value: [...named, ...left]};
}
