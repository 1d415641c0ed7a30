/** Contributions to a debate: a position, objections to it, answers to them, and rulings. */

import {z} from 'zod';

import {severities} from '../domain/patch.ts';
import {
  objectOf,
  optionalList,
  readBy,
  type Reading,
  refused,
  someText,
  someTexts,
} from './reading.ts';

export const positionSchema = z
  .lazy(() =>
    z.strictObject({
      position: someText.describe('Your opinion, in a few sentences that can be attacked'),
      arguments: someTexts.describe('Your reasons, with their evidence'),
    }),
  )
  .describe('Take a position on the question.');

export function readPosition(args: unknown): Reading<z.infer<typeof positionSchema>> {
  return readBy(positionSchema, args);
}

/** Limit of objections in one round, so that a reader can weigh each of them. */
const mostInARound = 10;

export const objectionsSchema = z
  .lazy(() =>
    objectOf({
      objections: z
        .array(
          objectOf({
            severity: z
              .enum(severities)
              .describe(
                'critical: the position must not stand; major: not as it is; minor: worth saying',
              ),
            objection: someText.describe('What is wrong with the position'),
            evidence: someText.describe('What shows it').exactOptional(),
          }),
        )
        .max(mostInARound)
        .describe('Your new objections; may be empty'),
      withdrawn: optionalList(z.array(someText).describe('Ids of the objections that were met')),
    }),
  )
  .describe('Raise objections to the position, and withdraw the objections that were met.');

/** The ids of the open objections, which a reply to objections must match. */
export interface OpenIds {
  readonly open: readonly string[];
}

/** Reads new objections and withdrawals; only open objections can be withdrawn. */
export function readAttack(
  args: unknown,
  {open}: OpenIds,
): Reading<z.infer<typeof objectionsSchema>> {
  const reading = readBy(objectionsSchema, args);
  const unknown = reading.ok ? reading.value.withdrawn.filter((id) => !open.includes(id)) : [];
  return unknown.length === 0
    ? reading
    : refused(`withdrawn: no open objection is called ${unknown.join(', ')}`);
}

export const answersSchema = z
  .lazy(() =>
    objectOf({
      answers: z
        .array(
          objectOf({
            id: someText.describe('The id of the objection'),
            answer: someText.describe('Your answer to it'),
            concedes: z.boolean().describe('True if the objection is right').exactOptional(),
          }),
        )
        .describe('One answer to each open objection'),
      revised_position: someText
        .describe('The whole position anew, if it changes and may be revised')
        .exactOptional(),
    }),
  )
  .describe('Answer each open objection once.');

export function readDefence(
  args: unknown,
  {open}: OpenIds,
): Reading<z.infer<typeof answersSchema>> {
  const reading = readBy(answersSchema, args);
  return reading.ok ? matching(reading, reading.value.answers, open) : reading;
}

export const rulingsSchema = z
  .lazy(() =>
    z.strictObject({
      rulings: z
        .array(
          z.strictObject({
            id: someText.describe('The id of the objection'),
            ruling: z
              .enum(['resolved', 'stands'])
              .describe('resolved: answered, or met by a revision; stands: neither'),
            reason: someText.describe('Why'),
          }),
        )
        .describe('One ruling on each open objection'),
    }),
  )
  .describe('Rule on each open objection once.');

export function readRulings(
  args: unknown,
  {open}: OpenIds,
): Reading<z.infer<typeof rulingsSchema>['rulings']> {
  const reading = readBy(rulingsSchema, args);
  if (!reading.ok) return reading;
  const {rulings} = reading.value;
  return matching({ok: true, value: rulings}, rulings, open);
}

/** Refuses a reply that does not name each open objection exactly once. */
function matching<Value>(
  reading: Reading<Value>,
  given: readonly {readonly id: string}[],
  open: readonly string[],
): Reading<Value> {
  const ids = given.map(({id}) => id);
  const missing = open.filter((id) => !ids.includes(id));
  const strange = ids.filter((id, at) => !open.includes(id) || ids.indexOf(id) !== at);
  const problems = [
    ...(missing.length > 0 ? [`${missing.join(', ')} is missing`] : []),
    ...(strange.length > 0 ? [`${strange.join(', ')} is not open, or occurs twice`] : []),
  ];
  return problems.length > 0 ? refused(...problems) : reading;
}
