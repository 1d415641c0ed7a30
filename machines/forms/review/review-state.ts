/** The state of a review: the parts of its diff and the votes on them. */

import type {AnyActorRef} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import type {Proposal, ReviewRound} from '../../domain/review.ts';
import {roundsIn} from '../../facts/folds.ts';
import {factsUnder} from '../../facts/record.ts';
import type {QuorumInput} from '../../panel/round.ts';
import type {Verdict} from '../../panel/rule.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {FormNow} from '../../tree/form-now.ts';
import {type Part, partsOf} from './parts.ts';
import {reportOf, verdictOfParts} from './report.ts';

export type ReviewInput = Pick<
  FormInput<'panel' | 'quorum' | 'maxOutputTokens'>,
  'request' | 'workspace' | 'settings' | 'inherited' | 'diff'
>;

export interface ReviewState extends ReviewInput {
  readonly parts: readonly Part[];
  /** The number of parts whose vote has begun. */
  readonly begun: number;
  readonly rounds: readonly ReviewRound[];
  /** The number of parts whose vote crashed. `failure` is the last crash. */
  readonly lost: number;
  readonly failure?: Failure;
}

/** Maximum number of parallel votes. */
const maxAtOnce = 4;

export function openReview(input: ReviewInput): ReviewState {
  return {
    ...input,
    parts: partsOf(input.diff ?? [], input.settings.panel),
    begun: 0,
    rounds: [],
    lost: 0,
  };
}

export function isComplete({parts, rounds, lost}: ReviewState): boolean {
  return rounds.length + lost === parts.length;
}

export function verdictOf({rounds, lost}: ReviewState): Verdict {
  const verdict = verdictOfParts(rounds);
  return verdict === 'approved' && lost > 0 ? 'noQuorum' : verdict;
}

export function nextParts({parts, begun, rounds, lost}: ReviewState): readonly Part[] {
  return parts.slice(begun, rounds.length + lost + maxAtOnce);
}

export function quorumInput(state: ReviewState, part: Part): QuorumInput {
  const {settings} = state;
  return {
    round: 1,
    proposal: proposalOf(state, part),
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    background: [],
    history: [],
  };
}

function proposalOf({request, workspace, parts}: ReviewState, part: Part): Proposal {
  const {title, hash, text, files} = part;
  const others =
    parts.length > 1 ? `Part ${parts.indexOf(part) + 1} of ${parts.length} of a diff.\n\n` : '';
  return {
    kind: 'diff',
    title,
    hash,
    text: `${others}${text}`,
    facts: {request, workspace, calls: [], evidence: [], claims: [], diff: files},
  };
}

interface End {
  readonly context: ReviewState;
  readonly self: AnyActorRef;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, self}) => {
    const {failure} = context;
    const parts = reviewPartialResult({state: context, facts: factsUnder(self)});
    return {
      status,
      summary: failure?.message ?? summaryOf(status, parts),
      ...parts,
      ...(failure ? {error: failure} : {}),
    };
  };
}

/** The result of a review, also of an active one. */
export function reviewPartialResult({
  state,
  facts,
}: Pick<FormNow<ReviewState>, 'state' | 'facts'>): FormParts {
  const {diff = [], parts, settings, workspace} = state;
  const rounds = roundsIn(facts);
  const {rule, lacksModels = false} = settings.quorum;
  const isUnread = lacksModels && settings.panel.every(({kind}) => kind === 'policy');
  return {
    review: reportOf({workspace, files: diff, parts, rounds, rule, isUnread}),
    reviews: rounds,
  };
}

function summaryOf(status: FinalStatus, {review}: FormParts): string {
  if (status === 'cancelled') return 'A person cancelled it.';
  return review?.synthesis ?? '';
}
