/** The facts of a run from the notes of its journal, without a replay. */

import {z} from 'zod';

import {contextModes, interactionForms} from '../../machines/domain/interaction-form.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';
import type {RecordedRound} from '../../machines/panel/recorded-votes.ts';
import type {Entry} from '../journal/journal.ts';

const verdict = z.enum(['approve', 'reject', 'abstain']);

const voteSchema = z.object({
  model: z.string(),
  verdict,
  unknown: z.array(z.string()).exactOptional(),
  abstainedBecause: z.string().exactOptional(),
  ms: z.number().exactOptional(),
});

const roundSchema = z.object({
  round: z.number(),
  kind: z.string(),
  title: z.string(),
  rule: z.string(),
  verdict: z.enum(['approved', 'rejected', 'noQuorum']),
  summary: z.string(),
  votes: z.array(voteSchema),
  withdrawn: z.array(z.string()).default([]),
  seats: z.array(z.string()).exactOptional(),
  weights: z.record(z.string(), z.number()).exactOptional(),
  vetoes: z.array(z.string()).exactOptional(),
  participation: z.object({cast: z.number(), required: z.number()}).exactOptional(),
  missed: z.array(z.string()).exactOptional(),
  screened: z.array(z.object({policy: z.string(), verdict})).exactOptional(),
});

/** In the order in which they were decided. */
export function roundsIn(entries: readonly Entry[]): RecordedRound[] {
  return entries.flatMap((entry) =>
    entry.type === 'noted' && entry.note['type'] === 'quorum.decided' ? readRound(entry.note) : [],
  );
}

/** A round in an entry; empty when it is not valid. */
export function readRound(review: unknown): RecordedRound[] {
  const parsed = roundSchema.safeParse(review);
  if (!parsed.success) return [];
  const {withdrawn, seats, ...round} = parsed.data;
  const sat = seats ?? [...round.votes.map(({model}) => model), ...withdrawn];
  return [{...round, seats: sat}];
}

const child = {child: z.string(), summary: z.string()};
const form = z.enum(interactionForms);
const plan = z.object({
  objective: z.string(),
  tasks: z.array(z.object({id: z.string(), description: z.string()})),
});
const ends = ['completed', 'failed', 'rejected', 'cancelled', 'limited', 'error'] as const;

/** The members of each fact that its readers rely on. */
const checks = {
  'interaction.spawned': z.object({
    child: z.string(),
    form,
    parent: z.string(),
    contextMode: z.enum(contextModes),
    by: z.enum(['person', 'model', 'rule']),
    request: z.string(),
  }),
  'interaction.refused': z.object({
    parent: z.string(),
    form,
    error: z.object({code: z.string(), message: z.string()}),
  }),
  'interaction.settled': z.object({status: z.enum(ends), ...child}),
  'human.requested': z.object({
    gate: z.string(),
    question: z.object({reason: z.string(), proposalHash: z.string(), plan: plan.exactOptional()}),
  }),
  'interview.asked': z.object({ask: z.string(), agent: z.string(), message: z.string()}),
  'human.decided': z.object({gate: z.string(), decision: z.string(), by: z.string()}),
  'ensemble.chosen': z.object({
    by: z.string(),
    drafts: z.array(
      z.object({by: z.string(), objective: z.string(), scores: z.array(z.unknown())}),
    ),
  }),
  'quorum.decided': roundSchema.required({seats: true, weights: true, vetoes: true}),
} satisfies {readonly [Type in Report['type']]?: z.ZodType};

/** Notes that the program makes, not the charts: also in records of earlier versions, which do not mark them. */
export const hostNotes: ReadonlySet<unknown> = new Set([
  'human.requested',
  'interview.asked',
  'run.suspended',
]);

export type RecordedFact = Extract<Report, {readonly type: keyof typeof checks}>;

export interface PlacedFact {
  readonly fact: RecordedFact;
  /** The path of the reporting actor below the root. */
  readonly actor: string;
  /** Of its entry. */
  readonly seq: number;
  readonly at: number;
}

/** In order. A note of another version is a fact if it has the members that readers rely on. */
export function factsOf(entries: readonly Entry[]): PlacedFact[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'noted' || !isFact(entry.note)) return [];
    const {actor} = entry.note;
    const {seq, at} = entry;
    return [{fact: entry.note, actor: typeof actor === 'string' ? actor : '', seq, at}];
  });
}

function isFact(note: JsonObject): note is JsonObject & RecordedFact {
  const check = new Map<unknown, z.ZodType>(Object.entries(checks)).get(note['type']);
  return check?.safeParse(note).success ?? false;
}
