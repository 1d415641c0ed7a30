/** The steps that a reader looks for first: votes, gates, plans. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {factsOf, foldSteps} from './fold.ts';

export type MarkKind = 'approved' | 'rejected' | 'gate' | 'plan';

export interface Mark {
  readonly index: number;
  readonly kind: MarkKind;
}

const planTypes: ReadonlySet<unknown> = new Set([
  'plan.created',
  'plan.revised',
  'ensemble.chosen',
]);
const gateTypes: ReadonlySet<unknown> = new Set(['human.requested', 'human.decided']);

/** In order. A step may have several marks, each kind once. A note marks nothing that its report has marked. */
export const marksOf = foldSteps<{readonly marks: Mark[]; readonly seen: Set<string>}>(
  () => ({marks: [], seen: new Set()}),
  ({marks, seen}, step, index) => {
    const kinds = new Set<MarkKind>();
    for (const {fact} of factsOf(step)) {
      const kind = kindOf(fact);
      const name = identityOf(fact);
      if (kind && !seen.has(name)) kinds.add(kind);
      if (kind) seen.add(name);
    }
    marks.push(...[...kinds].map((kind) => ({index, kind})));
  },
);

function kindOf(fact: JsonObject): MarkKind | undefined {
  if (fact['type'] === 'quorum.decided') return fact['approved'] === true ? 'approved' : 'rejected';
  if (gateTypes.has(fact['type'])) return 'gate';
  return planTypes.has(fact['type']) ? 'plan' : undefined;
}

function identityOf(fact: JsonObject): string {
  const {type, gate, proposalHash, round, timestamp, revision, plan} = fact;
  return JSON.stringify([type, gate, proposalHash, round, timestamp, revision, gate ? 0 : plan]);
}

/** The nearest marked step in this direction. */
export function nextMark(
  marks: readonly Mark[],
  from: number,
  direction: 1 | -1,
): number | undefined {
  return direction > 0
    ? marks.find(({index}) => index > from)?.index
    : marks.findLast(({index}) => index < from)?.index;
}
