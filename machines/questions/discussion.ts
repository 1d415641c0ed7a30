/** Contributions to a discussion besides the answers: rankings of other answers, and the conclusion. */

import {z} from 'zod';

import type {Objection} from '../domain/ledger.ts';
import {severities} from '../domain/patch.ts';
import type {OrchestrationStrategy} from '../domain/settings.ts';
import {
  objectOf,
  optionalList,
  readBy,
  type Reading,
  refused,
  someText,
  someTexts,
} from './reading.ts';

export const rankingSchema = z
  .lazy(() => {
    const remarks = z.array(someText).max(20);
    return objectOf({
      ranking: z.array(someText).min(1).describe('All labels, the best answer first'),
      reviews: z
        .array(
          objectOf({
            label: someText.describe('The label of the answer'),
            assessment: someText.describe('Your judgement of it, in a sentence or two'),
            strengths: optionalList(remarks.describe('What is good about it')),
            weaknesses: optionalList(remarks.describe('What is wrong with it, or missing')),
            score: z.number().min(1).max(10).describe('From 1, useless, to 10, nothing to improve'),
          }),
        )
        .describe('One review of each label'),
    });
  })
  .describe('Rank the answers by their labels, the best first, and review each of them.');

type Ranking = z.infer<typeof rankingSchema>;

/** One reader's review of one answer. */
export type AnswerReview = Ranking['reviews'][number];

/** Reads a ranking. It must rank and review exactly once each of the labelled answers that its author was shown. */
export function readRanking(
  args: unknown,
  {labels}: {readonly labels: readonly string[]},
): Reading<Ranking> {
  const reading = readBy(rankingSchema, args);
  if (!reading.ok) return reading;
  const {ranking, reviews} = reading.value;
  const reviewed = reviews.map(({label}) => label);
  const problems = [
    ...misfits('ranking', ranking, labels),
    ...misfits('reviews', reviewed, labels),
  ];
  return problems.length > 0 ? refused(...problems) : reading;
}

/** The deviations of a list from naming each label exactly once. */
function misfits(name: string, given: readonly string[], labels: readonly string[]): string[] {
  const missing = labels.filter((label) => !given.includes(label));
  const unknown = given.filter((label) => !labels.includes(label));
  const twice = given.filter((label, at) => given.indexOf(label) !== at);
  return [
    ...(missing.length > 0 ? [`${name}: ${missing.join(', ')} is missing`] : []),
    ...(unknown.length > 0 ? [`${name}: there is no ${cited(unknown)}`] : []),
    ...(twice.length > 0 ? [`${name}: ${cited(twice)} occurs twice`] : []),
  ];
}

function cited(names: readonly string[]): string {
  return [...new Set(names)].map((name) => JSON.stringify(name.slice(0, 80))).join(', ');
}

export const conclusionSchema = z
  .lazy(() => {
    const points = z.array(someText).max(50);
    return z.strictObject({
      conclusion: someText.describe('The result for the person who asked, and how certain it is'),
      key_points: points.describe('The reasons that decide'),
      agreements: points.describe('What all hold in common'),
      disagreements: points.describe('Where they differ, with the reason of each side'),
    });
  })
  .describe('Conclude the discussion.');

export type Conclusion = z.infer<typeof conclusionSchema>;

export function readConclusion(args: unknown): Reading<Conclusion> {
  return readBy(conclusionSchema, args);
}

/** One distinct answer, with its place in the combined ranking of all readers. */
export interface RankedAnswer {
  /** From 1, the best. */
  readonly rank: number;
  /** All participants who gave this answer. */
  readonly participants: readonly string[];
  /** Number of readers who reviewed it. */
  readonly reviews: number;
  /** Mean of its places in their rankings, 1 being the best; absent without a review. */
  readonly place?: number;
  /** Mean of their scores, 1 … 10. */
  readonly score?: number;
}

/** The result of a discussion. */
export interface Discussion extends Conclusion {
  readonly strategy: OrchestrationStrategy;
  /** Empty when nobody reviewed the answers of others. */
  readonly ranking: readonly RankedAnswer[];
  /** True when the result rests on fewer contributions than requested; `notes` lists the gaps. */
  readonly degraded: boolean;
  readonly notes: readonly string[];
  /** The participant that drew the conclusion. Absent when none could: the best answer replaces the conclusion. */
  readonly chair?: string;
  /** The answers as given, in the order of the configuration. */
  readonly answers: readonly {readonly participant: string; readonly text: string}[];
  readonly debate?: DebateRecord;
}

/** The record of a debate. */
export interface DebateRecord {
  readonly proponent: string;
  readonly opponent: string;
  /** The final position. */
  readonly position: string;
  readonly reasons: readonly string[];
  readonly rounds: number;
  /** `escalated`: grave objections were left open. */
  readonly outcome: 'settled' | 'escalated';
  readonly objections: readonly Objection[];
  /** A sentence that names who accepted the position despite open grave objections. */
  readonly accepted?: string;
}

// Contributions to a debate: a position, objections to it, answers to them, and rulings.

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
