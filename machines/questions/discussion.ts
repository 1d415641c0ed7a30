/** What the voices of a discussion are asked for beside their answers: a ranking of the others, a conclusion of all. */

import {z} from 'zod';

import type {Objection} from '../domain/ledger.ts';
import type {OrchestrationStrategy} from '../domain/settings.ts';
import {readBy, type Reading, refused, someText} from './reading.ts';

export const rankingSchema = z
  .lazy(() => {
    const remarks = z.array(someText).max(20);
    return z.strictObject({
      ranking: z.array(someText).min(1),
      reviews: z.array(
        z.strictObject({
          label: someText,
          assessment: someText,
          strengths: remarks.nullish(),
          weaknesses: remarks.nullish(),
          score: z.number().min(1).max(10),
        }),
      ),
    });
  })
  .describe('Rank the answers by their labels, the best first, and review each of them.');

/** What one reader says of one answer. */
export interface AnswerReview {
  readonly label: string;
  readonly assessment: string;
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
  /** 1 … 10. */
  readonly score: number;
}

export interface Ranking {
  /** Labels, the best first. */
  readonly ranking: readonly string[];
  readonly reviews: readonly AnswerReview[];
}

/** Reads a ranking of exactly the labelled answers that its author was shown, each ranked and reviewed once. */
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
  if (problems.length > 0) return refused(...problems);
  return {
    ok: true,
    value: {
      ranking,
      reviews: reviews.map(({strengths, weaknesses, ...review}) =>
        Object.assign(review, {strengths: strengths ?? [], weaknesses: weaknesses ?? []}),
      ),
    },
  };
}

/** In what a list is not each of the labels once. */
function misfits(name: string, given: readonly string[], labels: readonly string[]): string[] {
  const missing = labels.filter((label) => !given.includes(label));
  const unknown = given.filter((label) => !labels.includes(label));
  const twice = given.filter((label, at) => given.indexOf(label) !== at);
  return [
    ...(missing.length > 0 ? [`${name}: ${missing.join(', ')} is missing`] : []),
    ...(unknown.length > 0 ? [`${name}: there is no ${cited(unknown)}`] : []),
    ...(twice.length > 0 ? [`${name}: ${cited(twice)} comes twice`] : []),
  ];
}

function cited(names: readonly string[]): string {
  return [...new Set(names)].map((name) => JSON.stringify(name.slice(0, 80))).join(', ');
}

export const conclusionSchema = z
  .lazy(() => {
    const points = z.array(someText).max(50);
    return z.strictObject({
      conclusion: someText,
      key_points: points,
      agreements: points,
      disagreements: points,
    });
  })
  .describe('Conclude the discussion.');

export type Conclusion = z.infer<typeof conclusionSchema>;

export function readConclusion(args: unknown): Reading<Conclusion> {
  return readBy(conclusionSchema, args);
}

/** One distinct answer in the order that all readers together gave it. */
export interface RankedAnswer {
  /** From 1, the best. */
  readonly rank: number;
  /** All who gave this answer. */
  readonly participants: readonly string[];
  /** How many readers have reviewed it. */
  readonly reviews: number;
  /** Mean of the places that they gave it, 1 being the best; absent without a review. */
  readonly place?: number;
  /** Mean of their scores, 1 … 10. */
  readonly score?: number;
}

/** What a discussion comes to. */
export interface Discussion extends Conclusion {
  readonly strategy: OrchestrationStrategy;
  /** Empty when nobody reviewed the answers of others. */
  readonly ranking: readonly RankedAnswer[];
  /** It rests on less than was asked for; the notes say on what. */
  readonly degraded: boolean;
  readonly notes: readonly string[];
  /** Who drew the conclusion; absent when nobody could, and the best answer stands in its place. */
  readonly chair?: string;
  /** As they were given, in the order of the configuration. */
  readonly answers: readonly {readonly participant: string; readonly text: string}[];
  readonly debate?: DebateRecord;
}

/** How a debate went. */
export interface DebateRecord {
  readonly proponent: string;
  readonly opponent: string;
  /** As it was held in the end. */
  readonly position: string;
  readonly reasons: readonly string[];
  readonly rounds: number;
  /** `escalated`: grave objections were left open. */
  readonly outcome: 'settled' | 'escalated';
  readonly objections: readonly Objection[];
  /** Who let the position stand against open grave objections: a sentence. */
  readonly accepted?: string;
}
