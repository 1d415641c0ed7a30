/** The state of a review: the parts of its diff and the votes on them. */

import type {AnyActorRef} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import type {Proposal, ReviewRound} from '../../domain/review.ts';
import {roundsIn} from '../../facts/fact.ts';
import {factsUnder} from '../../facts/record.ts';
import type {QuorumInput} from '../../panel/round.ts';
import type {Verdict} from '../../panel/rule.ts';
import type {FormInput, FormNow} from '../../tree/form-event.ts';
import {type Part, partsOf} from './parts.ts';
import {reportOf, verdictOfParts} from './report.ts';
import {unreadIn} from './unread.ts';

export type ReviewInput = Pick<
  FormInput<'panel' | 'quorum' | 'maxOutputTokens'>,
  'request' | 'workspace' | 'settings' | 'inherited' | 'diff' | 'allowUnread'
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

export function verdictOf(state: ReviewState): Verdict {
  const {rounds, lost, diff = [], allowUnread = false} = state;
  const verdict = verdictOfParts(rounds);
  if (verdict !== 'approved') return verdict;
  const isRead = allowUnread || unreadIn(diff, rounds, isByRule(state)).length === 0;
  return lost > 0 || !isRead ? 'noQuorum' : 'approved';
}

function isByRule({settings}: Pick<ReviewState, 'settings'>): boolean {
  return settings.panel.every(({kind}) => kind === 'policy');
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
  const {diff = [], parts, settings, workspace, allowUnread = false} = state;
  const rounds = roundsIn(facts);
  const {rule, lacksModels = false} = settings.quorum;
  const byRule = isByRule(state);
  const read = {isUnread: lacksModels && byRule, isByRule: byRule, allowUnread};
  return {
    review: reportOf({workspace, files: diff, parts, rounds, rule, ...read}),
    reviews: rounds,
  };
}

function summaryOf(status: FinalStatus, {review}: FormParts): string {
  if (status === 'cancelled') return 'A person cancelled it.';
  return review?.synthesis ?? '';
}
