/** The record of votes: what a panel saw, who voted how and why. */

import type {Verdict} from '../panel/rule.ts';
import type {SectionText} from '../prompts/section-text.ts';
import type {Evidence} from './evidence.ts';
import type {Comment, FileDiff} from './patch.ts';
import type {ToolFacts} from './tool-facts.ts';

export type ProposalKind = 'plan' | 'action' | 'result' | 'diff';

/** What stands when a plan for the rest is voted on, for its reviewers to read. */
export interface WorkBefore {
  /** Results of the plans that ran. */
  readonly done: SectionText;
  /** Work that no plan has taken up yet. */
  readonly open: SectionText;
}

/** What a panel votes on. `hash`: SHA-256 of exactly what may run or be accepted. */
export interface Proposal {
  readonly kind: ProposalKind;
  readonly title: string;
  readonly hash: string;
  /** The whole proposal as people and rules read it. */
  readonly text: string;
  /** As models read it, with known facts beside quotations. Absent: the text, quoted. */
  readonly shown?: SectionText;
  /** Of a plan: to the files that its calls write. */
  readonly changes?: SectionText;
  /** Of a plan for what earlier ones left. */
  readonly before?: WorkBefore;
  /** Of a plan that was debated: what still stands against it. */
  readonly objections?: readonly string[];
  /** The same as data, for the reviewers that decide by rule. */
  readonly facts: ProposalFacts;
}

export interface ProposedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool says of itself. Absent: nothing. */
  readonly facts?: ToolFacts;
}

export interface ProposalFacts {
  /** What a person asked for. */
  readonly request: string;
  /** What a model made of it for whoever proposes: it can ask for no more. */
  readonly assigned?: string;
  readonly workspace: string;
  /** Calls that the proposal would make: a plan's tasks with a tool, an action's one call. Of a result: those made. */
  readonly calls: readonly ProposedCall[];
  /** Of an action that runs a command: whether something keeps it in the workspace and off the network. */
  readonly confinement?: 'confined' | 'unconfined';
  /** Of an action: SHA-256 of what the file that it writes holds before, or `absent`; of the scripts that its command runs. */
  readonly basedOn?: string;
  /** What has been read, written and run so far. */
  readonly evidence: readonly Evidence[];
  /** Prose of the proposal: a plan's objective and reasoning, a result's summary. */
  readonly claims: readonly string[];
  readonly sources?: readonly string[]; // Texts that an answer may report from.
  /** Of tasks, with their checked state. */
  readonly results?: readonly ClaimedResult[];
  /** What a diff changes, or a part of it. */
  readonly diff?: readonly FileDiff[];
}

export interface ClaimedResult {
  readonly task: string;
  readonly succeeded: boolean;
  readonly text: string;
  /** The text is a model's report of what it did, not what a tool gave back. */
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

/** `ModelVote` of the spec, with what it leaves out. */
export interface ModelVote {
  readonly model: string;
  readonly approved: boolean;
  readonly verdict: 'approve' | 'reject' | 'abstain';
  readonly reasoning: string;
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly suggestedChange?: string;
  /** Names of the rules that fired, of a reviewer by rule. */
  readonly rules?: readonly string[];
  /** What a reviewer by rule does not understand, where it can't judge for that reason. */
  readonly unknown?: readonly string[];
  /** On single places of a diff. */
  readonly comments?: readonly Comment[];
  /** For an abstention nobody chose: `timeout`, `invalid ballot`, `rateLimited` … */
  readonly abstainedBecause?: string;
  /** Time at work of its calls, repairs included, ms. Absent when no reply came, and in older journals. */
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
  /** Of every seat. */
  readonly weights: Readonly<Record<string, number>>;
  /** Seats without whose approval nothing is approved. */
  readonly vetoes: readonly string[];
  /** Ballots that approve or reject: how many were cast, and how many it takes to decide. */
  readonly participation: {readonly cast: number; readonly required: number};
  readonly verdict: Verdict;
  readonly approved: boolean;
  readonly votes: readonly ModelVote[];
  /** `[●○!]` in the order of the seats, `·` for a withdrawn one. */
  readonly summary: string;
  readonly early: boolean;
  /** Seats whose ballot was no longer needed. */
  readonly withdrawn: readonly string[];
  /** Seats whose model could not be called, when no ballot of theirs was needed any more. Absent: none. */
  readonly missed?: readonly string[];
  /** True when a seat failed to vote, so the decision rests on fewer voices than were asked. */
  readonly degraded: boolean;
  /** Epoch ms of the last ballot or screening; 0 when none came. */
  readonly timestamp: number;
  /** What the policy reviewers said before any model was asked. No votes; absent when none was to be heard. */
  readonly screened?: readonly Screening[];
}

/** The answer of one policy reviewer before the panel is asked. Only a refusal counts; the models that vote see its doubts. */
export interface Screening {
  /** `policy/name`. */
  readonly policy: string;
  readonly verdict: 'approve' | 'reject' | 'abstain';
  /** Names of the rules that fired. */
  readonly rules: readonly string[];
  /** What it does not understand, where it can't judge for that reason. */
  readonly unknown?: readonly string[];
  /** Why, or why it said nothing. */
  readonly reasons: readonly string[];
  /** On single places of a diff. */
  readonly comments?: readonly Comment[];
}

export const verdictMarks = {approve: '●', reject: '○', abstain: '!'} as const;

/** `[●○!]` in the order of the seats; `·` is a seat whose ballot was no longer needed. */
export function seatSummary(verdicts: readonly (keyof typeof verdictMarks | undefined)[]): string {
  return `[${verdicts.map((verdict) => (verdict ? verdictMarks[verdict] : '·')).join('')}]`;
}

/**
 * Who refused with the power to refuse alone, each with the names of the rules that fired. Records of earlier versions do
 * not tell the vetoes.
 */
function refusalsIn({
  screened = [],
  vetoes = [],
  votes,
}: Partial<ReviewRound> & Pick<ReviewRound, 'votes'>): ReadonlyMap<string, string> {
  const sitting = votes
    .filter(({model}) => vetoes.includes(model))
    .map(({model: policy, verdict, rules = []}) => ({policy, verdict, rules}));
  const refusals = [...screened, ...sitting].filter(({verdict}) => verdict === 'reject');
  return new Map(refusals.map(({policy, rules}) => [policy, rules.join(', ')]));
}

/** Somebody spoke against it: it did not merely lack votes. */
export function isOpposed({votes, screened = []}: ReviewRound): boolean {
  return [...votes, ...screened].some(({verdict}) => verdict === 'reject');
}

/** A policy that screens or a seat with a veto refused it: no other voice could have approved it. */
export function isVetoed(round: ReviewRound | undefined): boolean {
  return round !== undefined && refusalsIn(round).size > 0;
}

/** `vetoed by policy/scope (outside-workspace)`; undefined when nobody has vetoed it. */
export function vetoText(round: ReviewRound | undefined): string | undefined {
  if (!round || !isVetoed(round)) return undefined;
  const named = [...refusalsIn(round)].map(([who, rules]) => (rules ? `${who} (${rules})` : who));
  return `vetoed by ${named.join(', ')}`;
}

/** What no reviewer by rule could judge, each once with who says so: `policy/safety, policy/scope can't judge "frobnicate"`. */
export function unjudgedIn({
  votes,
  screened = [],
}: Pick<ReviewRound, 'votes' | 'screened'>): string[] {
  const sitting = votes.map(({model, unknown = []}) => ({policy: model, unknown}));
  const all = [...screened, ...sitting].filter(({unknown = []}) => unknown.length > 0);
  const voices = Map.groupBy(all, ({unknown = []}) => quoted(unknown));
  return [...voices].map(([words, own]) => {
    const names = [...new Set(own.map(({policy}) => policy))];
    return `${names.join(', ')} can't judge ${words}`;
  });
}

const maxWords = 5;

function quoted(words: readonly string[]): string {
  const shown = words.slice(0, maxWords).map((word) => JSON.stringify(word));
  const more = words.length > maxWords ? ` and ${words.length - maxWords} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** Of a vote without quorum, why nothing was decided on `what`: a sentence. */
export function undecidedText(round: ReviewRound | undefined, what: string): string {
  const unjudged = round ? unjudgedIn(round) : [];
  return unjudged.length === 0
    ? `Too few reviewers voted on ${what}.`
    : `Nobody has judged ${what}: ${unjudged.join('; ')}.`;
}

/** Of a vote that ended in a rejection: `The panel rejected it, 2 to 1.` */
export function rejectionText(round: ReviewRound): string {
  const veto = vetoText(round);
  if (veto !== undefined) return `It was ${veto}.`;
  const of = (verdict: ModelVote['verdict']) =>
    round.votes.filter((vote) => vote.verdict === verdict).length;
  return of('reject') === 0
    ? `The panel did not approve it: ${of('approve')} of ${round.seats.length} seats did.`
    : `The panel rejected it, ${of('reject')} to ${of('approve')}.`;
}

/** Nobody has approved or vetoed it, and a reviewer by rule could not judge it: only a person can answer for it. */
export function isUnjudged(round: ReviewRound | undefined): boolean {
  if (round === undefined || round.approved || isVetoed(round)) return false;
  return unjudgedIn(round).length > 0;
}

/** Each reason once, with all who give it: `policy/safety, policy/scope: can't judge "frobnicate": no known program`. */
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

/** What a rejected author must hear: every reason given, by whom, with the suggested changes; and who did not vote. */
export function reasonsOf(round: ReviewRound): string[] {
  return [...reasonsIn(refusalsAside(round)), ...votingReasons(round)];
}

/** What those without a seat refuse, or can't judge. */
export function heardAside({screened = [], seats}: ReviewRound): readonly Screening[] {
  return screened.filter(
    ({policy, verdict, unknown = []}) =>
      (verdict === 'reject' || unknown.length > 0) && !seats.includes(policy),
  );
}

/** By those who have no seat: the others say theirs with their vote. */
function refusalsAside({screened = [], seats}: ReviewRound): readonly Screening[] {
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

/** What the reasons don't say themselves. */
export function suggestionIn({suggestedChange = '', reasons}: ModelVote): string {
  const isSaid = reasons.some((reason) => reason.includes(suggestedChange));
  return isSaid || suggestedChange === '' ? '' : ` (suggests: ${suggestedChange})`;
}
