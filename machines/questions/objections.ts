/** Contributions to a debate: a position, objections to it, answers to them, and rulings. */

import {z} from 'zod';

import type {Objection} from '../domain/ledger.ts';
import {severities} from '../domain/severity.ts';
import {readBy, type Reading, refused, someText, someTexts} from './reading.ts';

export const positionSchema = z
  .lazy(() =>
    z.strictObject({
      position: someText.describe('Your opinion, in a few sentences that can be attacked'),
      arguments: someTexts.describe('Your reasons, with their evidence'),
    }),
  )
  .describe('Take a position on the question.');

export type Position = z.infer<typeof positionSchema>;

export function readPosition(args: unknown): Reading<Position> {
  return readBy(positionSchema, args);
}

/** Limit of objections in one round, so that a reader can weigh each of them. */
const mostInARound = 10;

export const objectionsSchema = z
  .lazy(() =>
    z.strictObject({
      objections: z
        .array(
          z.strictObject({
            severity: z
              .enum(severities)
              .describe(
                'critical: the position must not stand; major: not as it is; minor: worth saying',
              ),
            objection: someText.describe('What is wrong with the position'),
            evidence: someText.nullish().describe('What shows it'),
          }),
        )
        .max(mostInARound)
        .describe('Your new objections; may be empty'),
      withdrawn: z.array(someText).nullish().describe('Ids of the objections that were met'),
    }),
  )
  .describe('Raise objections to the position, and withdraw the objections that were met.');

export interface Attack {
  readonly objections: readonly Pick<Objection, 'severity' | 'objection' | 'evidence'>[];
  readonly withdrawn: readonly string[];
}

/** The ids of the open objections, which a reply to objections must match. */
export interface OpenIds {
  readonly open: readonly string[];
}

/** Reads new objections and withdrawals; only open objections can be withdrawn. */
export function readAttack(args: unknown, {open}: OpenIds): Reading<Attack> {
  const reading = readBy(objectionsSchema, args);
  if (!reading.ok) return reading;
  const {objections, withdrawn} = reading.value;
  const unknown = (withdrawn ?? []).filter((id) => !open.includes(id));
  if (unknown.length > 0)
    return refused(`withdrawn: no open objection is called ${unknown.join(', ')}`);
  return {
    ok: true,
    value: {
      objections: objections.map(({evidence, ...objection}) =>
        evidence ? Object.assign(objection, {evidence}) : objection,
      ),
      withdrawn: withdrawn ?? [],
    },
  };
}

export const answersSchema = z
  .lazy(() =>
    z.strictObject({
      answers: z
        .array(
          z.strictObject({
            id: someText.describe('The id of the objection'),
            answer: someText.describe('Your answer to it'),
            concedes: z.boolean().nullish().describe('True if the objection is right'),
          }),
        )
        .describe('One answer to each open objection'),
      revised_position: someText
        .nullish()
        .describe('The whole position anew, if it changes and may be revised'),
    }),
  )
  .describe('Answer each open objection once.');

export interface Defence {
  readonly answers: readonly {
    readonly id: string;
    readonly answer: string;
    readonly concedes: boolean;
  }[];
  readonly revised?: string;
}

export function readDefence(args: unknown, {open}: OpenIds): Reading<Defence> {
  const reading = readBy(answersSchema, args);
  if (!reading.ok) return reading;
  const {answers, revised_position: revised} = reading.value;
  const problems = misfits(answers, open);
  if (problems.length > 0) return refused(...problems);
  return {
    ok: true,
    value: {
      answers: answers.map(({concedes, ...answer}) =>
        Object.assign(answer, {concedes: concedes === true}),
      ),
      ...(revised ? {revised} : {}),
    },
  };
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

export type Rulings = z.infer<typeof rulingsSchema>['rulings'];

export function readRulings(args: unknown, {open}: OpenIds): Reading<Rulings> {
  const reading = readBy(rulingsSchema, args);
  if (!reading.ok) return reading;
  const {rulings} = reading.value;
  const problems = misfits(rulings, open);
  return problems.length > 0 ? refused(...problems) : {ok: true, value: rulings};
}

/** The deviations of a list from naming each open objection exactly once. */
function misfits(given: readonly {readonly id: string}[], open: readonly string[]): string[] {
  const ids = given.map(({id}) => id);
  const missing = open.filter((id) => !ids.includes(id));
  const strange = ids.filter((id, at) => !open.includes(id) || ids.indexOf(id) !== at);
  return [
    ...(missing.length > 0 ? [`${missing.join(', ')} is missing`] : []),
    ...(strange.length > 0 ? [`${strange.join(', ')} is not open, or occurs twice`] : []),
  ];
}
