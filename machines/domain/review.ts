/** The record of votes: the proposal, each vote and its reasons. */

import type {Verdict} from '../panel/rule.ts';
import type {SectionText} from '../prompts/section-text.ts';
import type {Evidence} from './evidence.ts';
import type {Comment, FileDiff} from './patch.ts';
import type {ToolFacts} from './tool-facts.ts';
import type {Confinement} from './tool.ts';

export type ProposalKind = 'plan' | 'action' | 'result' | 'diff';

/** The work before a follow-up plan, for the reviewers of that plan. */
export interface WorkBefore {
  /** Results of the plans that ran. */
  readonly done: SectionText;
  /** Work that no plan includes yet. */
  readonly open: SectionText;
}

/** The subject of a vote. `hash`: SHA-256 of exactly the work that may run or the result that may be accepted. */
export interface Proposal {
  readonly kind: ProposalKind;
  readonly title: string;
  readonly hash: string;
  /** The whole proposal for people and rules. */
  readonly text: string;
  /** The whole proposal for models, with known facts beside quotations. Absent: the text, quoted. */
  readonly shown?: SectionText;
  /** For a plan: changes to the files that its calls write. */
  readonly changes?: SectionText;
  /** For a plan that follows earlier ones. */
  readonly before?: WorkBefore;
  /** For a debated plan: the open objections. */
  readonly objections?: readonly string[];
  /** The proposal as data, for reviewers by rule. */
  readonly facts: ProposalFacts;
  /** For several actions: each as a proposal of its own, with the actions before it in its evidence. Reviewers by rule judge these. */
  readonly parts?: readonly Proposal[];
}

export interface ProposedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The declared facts of the tool. Absent: none. */
  readonly facts?: ToolFacts;
}

export interface ProposalFacts {
  /** The person's request. */
  readonly request: string;
  /** The request as a model rewrote it for the proposer: it can't ask for more than the person's. */
  readonly assigned?: string;
  readonly workspace: string;
  /** Calls that the proposal would make: a plan's tasks with a tool, an action's calls. For a result: the calls made. */
  readonly calls: readonly ProposedCall[];
  /** Only for an action that runs a command. */
  readonly confinement?: Confinement;
  /** For an action: SHA-256 of the file before the write, or `absent`; or of the scripts that its command runs. */
  readonly basedOn?: string;
  /** Everything read, written and executed before it. */
  readonly evidence: readonly Evidence[];
  /** Prose of the proposal: a plan's objective and reasoning, a result's summary. */
  readonly claims: readonly string[];
  readonly sources?: readonly string[]; // Texts that an answer may report from.
  /** Of tasks, with their checked state. */
  readonly results?: readonly ClaimedResult[];
  /** The files of a diff, or of a part of it. */
  readonly diff?: readonly FileDiff[];
}

export interface ClaimedResult {
  readonly task: string;
  readonly succeeded: boolean;
  readonly text: string;
  /** The text is a model's report, not the result of a tool. */
  readonly isReport?: boolean;
}

export interface Seat {
  /** Unique on the panel: the model's name, with `#2` for a second seat of the same model. */
  readonly id: string;
  readonly kind: 'model' | 'policy';
  /** `provider/model` or `policy/name`. */
  readonly model: string;
  readonly weight: number;
  readonly veto: boolean;
}

/** The verdict of a reviewer on one call of a proposal of several. */
export interface CallVerdict {
  /** From 1. */
  readonly number: number;
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasons: readonly string[];
  /** As in {@link ModelVote}. */
  readonly rules?: readonly string[];
  readonly unknown?: readonly string[];
}

/** The decision on one call of a proposal of several. `open`: the ballots of withdrawn seats could decide it. */
export interface CallDecision {
  readonly title: string;
  /** The hash of the action. */
  readonly hash: string;
  readonly verdict: Verdict | 'open';
}

/** `ModelVote` of the spec, with additional members. */
export interface ModelVote {
  readonly model: string;
  readonly approved: boolean;
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasoning: string;
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly suggestedChange?: string;
  /** For a reviewer by rule: names of the rules that fired. */
  readonly rules?: readonly string[];
  /** For a reviewer by rule that can't judge: the parts that it does not understand. */
  readonly unknown?: readonly string[];
  /** For a reviewer by rule: files of a diff that it has read whole by a rule of their own. */
  readonly read?: readonly string[];
  /** On single places of a diff. */
  readonly comments?: readonly Comment[];
  /** For several calls: one for each. Absent: `verdict` is the verdict on every call. */
  readonly calls?: readonly CallVerdict[];
  /** For an involuntary abstention: `timeout`, `invalid ballot`, `rateLimited` … */
  readonly abstainedBecause?: string;
  /** Duration of its calls, repairs included, in ms. Absent when no reply came, and in older journals. */
  readonly ms?: number;
}

/** `ReviewRound` of the spec. */
export interface ReviewRound {
  readonly round: number;
  readonly kind: ProposalKind;
  readonly title: string;
  readonly proposalHash: string;
  readonly rule: string;
  /** All seats, in the order of the configuration. */
  readonly seats: readonly string[];
  /** By seat. */
  readonly weights: Readonly<Record<string, number>>;
  /** Seats without whose approval nothing is approved. */
  readonly vetoes: readonly string[];
  /** Ballots that approve or reject: the number cast, and the number required to decide. */
  readonly participation: {readonly cast: number; readonly required: number};
  readonly verdict: Verdict;
  readonly approved: boolean;
  readonly votes: readonly ModelVote[];
  /** `[●○!]` in the order of the seats, `·` for a withdrawn one. */
  readonly summary: string;
  readonly early: boolean;
  /** Seats whose ballot was no longer needed. */
  readonly withdrawn: readonly string[];
  /** Seats whose model could not be called, but whose ballot was no longer needed. Absent: none. */
  readonly missed?: readonly string[];
  /** True when a seat failed to vote, so the decision rests on fewer votes than requested. */
  readonly degraded: boolean;
  /** Epoch ms of the last ballot or screening; 0 when none came. */
  readonly timestamp: number;
  /** Answers of the policy reviewers before any model was asked. They are not votes; absent when no policy screens. */
  readonly screened?: readonly Screening[];
  /** For a proposal of several calls: the decision on each, in their order. */
  readonly calls?: readonly CallDecision[];
}

/** The answer of one policy reviewer before the panel is asked. Only a refusal counts; voting models see its doubts. */
export interface Screening {
  /** `policy/name`. */
  readonly policy: string;
  readonly verdict: 'approve' | 'reject' | 'abstain';
  /** Names of the rules that fired. */
  readonly rules: readonly string[];
  /** The parts that it does not understand, if it can't judge for that reason. */
  readonly unknown?: readonly string[];
  /** Why it answered so, or why it did not answer. */
  readonly reasons: readonly string[];
  /** Files of a diff that it has read whole by a rule of their own. */
  readonly read?: readonly string[];
  /** On single places of a diff. */
  readonly comments?: readonly Comment[];
  /** As in {@link ModelVote}. */
  readonly calls?: readonly CallVerdict[];
}

export const verdictMarks = {approve: '●', reject: '○', abstain: '!'} as const;

/** `[●○!]` in the order of the seats; `·` is a seat whose ballot was no longer needed. */
export function seatSummary(verdicts: readonly (keyof typeof verdictMarks | undefined)[]): string {
  return `[${verdicts.map((verdict) => (verdict ? verdictMarks[verdict] : '·')).join('')}]`;
}

/**
 * Reviewers whose refusal alone rejects the proposal, each with the names of the rules that fired. Records of earlier
 * versions do not contain `vetoes`.
 */
function refusalsIn({
  screened = [],
  vetoes = [],
  votes,
}: Partial<ReviewRound> & Pick<ReviewRound, 'votes'>): ReadonlyMap<string, string> {
  const votesOfSeats = votes
    .filter(({model}) => vetoes.includes(model))
    .map(({model: policy, verdict, rules = []}) => ({policy, verdict, rules}));
  const refusals = [...screened, ...votesOfSeats].filter(({verdict}) => verdict === 'reject');
  return new Map(refusals.map(({policy, rules}) => [policy, rules.join(', ')]));
}

/** True if a reviewer rejected it: it did not merely lack votes. */
export function isOpposed({votes, screened = []}: ReviewRound): boolean {
  return [...votes, ...screened].some(({verdict}) => verdict === 'reject');
}

/** True if a screening policy or a seat with a veto rejected it: no other vote could have approved it. */
export function isVetoed(round: ReviewRound | undefined): boolean {
  return round !== undefined && refusalsIn(round).size > 0;
}

/** `vetoed by policy/scope (outside-workspace)`; undefined when nobody has vetoed it. */
export function vetoText(round: ReviewRound | undefined): string | undefined {
  if (!round || !isVetoed(round)) return undefined;
  const named = [...refusalsIn(round)].map(([who, rules]) => (rules ? `${who} (${rules})` : who));
  return `vetoed by ${named.join(', ')}`;
}

/** Everything that reviewers by rule could not judge, each once with their names: `policy/safety, policy/scope can't judge "frobnicate"`. */
export function unjudgedIn({
  votes,
  screened = [],
}: Pick<ReviewRound, 'votes' | 'screened'>): string[] {
  const votesOfSeats = votes.map(({model, unknown = []}) => ({policy: model, unknown}));
  const all = [...screened, ...votesOfSeats].filter(({unknown = []}) => unknown.length > 0);
  const voices = Map.groupBy(all, ({unknown = []}) => quotedWords(unknown));
  return [...voices].map(([words, own]) => {
    const names = [...new Set(own.map(({policy}) => policy))];
    return `${names.join(', ')} can't judge ${words}`;
  });
}

const maxWords = 5;

function quotedWords(words: readonly string[]): string {
  const shown = words.slice(0, maxWords).map((word) => JSON.stringify(word));
  const more = words.length > maxWords ? ` and ${words.length - maxWords} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** For a vote without quorum: a sentence that says why there is no decision on `what`. */
export function undecidedText(round: ReviewRound | undefined, what: string): string {
  const unjudged = round ? unjudgedIn(round) : [];
  return unjudged.length === 0
    ? `Too few reviewers voted on ${what}.`
    : `Nobody has judged ${what}: ${unjudged.join('; ')}.`;
}

/** For a vote that ended in a rejection: `The panel rejected it, 2 to 1.` */
export function rejectionText(round: ReviewRound): string {
  const veto = vetoText(round);
  if (veto !== undefined) return `It was ${veto}.`;
  const of = (verdict: ModelVote['verdict']) =>
    round.votes.filter((vote) => vote.verdict === verdict).length;
  return of('reject') === 0
    ? `The panel did not approve it: ${of('approve')} of ${round.seats.length} seats did.`
    : `The panel rejected it, ${of('reject')} to ${of('approve')}.`;
}

/** True if the proposal is neither approved nor vetoed, and a reviewer by rule could not judge it: only a person can decide. */
export function isUnjudged(round: ReviewRound | undefined): boolean {
  if (round === undefined || round.approved || isVetoed(round)) return false;
  return unjudgedIn(round).length > 0;
}

/** Each reason once, with all reviewers who give it: `policy/safety, policy/scope: can't judge "frobnicate": no known program`. */
export function reasonsIn(said: readonly Pick<Screening, 'policy' | 'reasons'>[]): string[] {
  const voices = Map.groupBy(
    said.flatMap(({policy, reasons}) => reasons.map((reason) => ({policy, reason}))),
    ({reason}) => reason,
  );
  return [...voices].map(([reason, own]) => {
    const names = new Set(own.map(({policy}) => policy));
    return `${[...names].join(', ')}: ${reason}`;
  });
}

/** The feedback for a rejected author: every reason with its reviewer and suggested change, and the seats that did not vote. */
export function reasonsOf(round: ReviewRound): string[] {
  return [...reasonsIn(rejectionsWithoutSeat(round)), ...votingReasons(round)];
}

/** Screenings by policies without a seat that reject the proposal or can't judge it. */
export function screeningsWithoutSeat({screened = [], seats}: ReviewRound): readonly Screening[] {
  return screened.filter(
    ({policy, verdict, unknown = []}) =>
      (verdict === 'reject' || unknown.length > 0) && !seats.includes(policy),
  );
}

/** Rejections by policies without a seat; a policy with a seat gives its reasons with its vote. */
function rejectionsWithoutSeat({screened = [], seats}: ReviewRound): readonly Screening[] {
  return screened.filter(({policy, verdict}) => verdict === 'reject' && !seats.includes(policy));
}

function votingReasons(round: ReviewRound): string[] {
  return round.votes.flatMap((vote) => {
    if (vote.verdict === 'approve') return [];
    if (vote.abstainedBecause !== undefined) {
      return [`${vote.model} did not vote: ${vote.abstainedBecause}`];
    }
    const last = vote.reasons.length - 1;
    return vote.reasons.map(
      (reason, at) => `${vote.model}: ${reason}${at === last ? suggestionIn(vote) : ''}`,
    );
  });
}

/** Empty when the reasons already contain the suggestion. */
export function suggestionIn({suggestedChange = '', reasons}: ModelVote): string {
  const isSaid = reasons.some((reason) => reason.includes(suggestedChange));
  return isSaid || suggestedChange === '' ? '' : ` (suggests: ${suggestedChange})`;
}

// Approvals by rule of commands that do more than read: the reviewer gives the reason, and every view shows it.

/** Why a command that does more than read may run. Those parts follow it. */
export const containedReason = 'it runs confined and can be undone';

/** The reasons of such an approval; none of any other vote. */
export function containedReasons({
  verdict,
  reasons,
}: Pick<ModelVote, 'verdict' | 'reasons'>): readonly string[] {
  if (verdict !== 'approve') return [];
  return reasons.filter((reason) => reason.startsWith(containedReason));
}
