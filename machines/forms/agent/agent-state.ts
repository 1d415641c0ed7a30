/** What an agent knows of its run, and how it takes in what its phases come to. */

import {type Attachment, attachedEvidence} from '../../domain/attachment.ts';
import type {Evaluation} from '../../domain/evaluation.ts';
import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Grant} from '../../domain/human.ts';
import {type Plan, planHash, type PlanReading} from '../../domain/plan.ts';
import {isOpposed, type ReviewRound, vetoText} from '../../domain/review.ts';
import {attachedSection, inheritedSection, writeSections} from '../../domain/sections.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {NewsItem} from '../../tree/news.ts';
import type {EvaluationOutput} from './evaluation.ts';
import type {ExecutionOutput} from './execution.ts';
import type {GatheringOutput} from './gathering.ts';
import type {PlanRun} from './open-work.ts';
import type {PlanningOutput} from './planning.ts';

/** A plan as a person edited it, as far as it is read and checked. */
export interface EditedPlan {
  readonly reading: PlanReading;
  /** What is wrong with it, once its calls are checked. */
  readonly problems: readonly string[];
}

export interface AgentState extends FormInput {
  readonly attachments: readonly Attachment[];
  /** Whether several planners draft, or drafted last. */
  readonly isByEnsemble: boolean;
  /** A person has asked for an ensemble in mid-run: it drafts what is drafted next. */
  readonly isEnsembleDue: boolean;
  /** What was gathered about the workspace. */
  readonly background: string;
  /** What of it others wrote, in full. */
  readonly quoted: string;
  readonly evidence: readonly Evidence[];
  /** What its interaction was told meanwhile, as its planners, reviewers and judges read it. */
  readonly news: readonly NewsItem[];
  /** What a rule has begun is still at work below: whoever plans next waits for it. */
  readonly isCounselOut: boolean;
  readonly plan?: Plan;
  /** Whose plan it is: a model, or `person`. */
  readonly author?: string;
  /** What a debate has left standing against it. */
  readonly objections: readonly string[];
  /** The plan at hand was proposed again, and rejected before: it is not voted on again. */
  readonly isRepeated: boolean;
  /** Votes on the plan at hand and its forerunners since the last replanning; after a plan ran, on its result. */
  readonly rounds: readonly ReviewRound[];
  /** Tasks, of all plans. */
  readonly started: number;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  /** What was last said at a gate. */
  readonly word?: HumanGateOutput;
  readonly edited?: EditedPlan;
  /** Who has allowed which plan, and with it the calls that it spells out. */
  readonly grant?: Grant;
  /** The {@link workHash} of each plan that was allowed at a gate, as often as it was. */
  readonly allowed: readonly string[];
  readonly reason: string;
  readonly failure?: Failure;
}

export function openState(input: FormInput): AgentState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    isByEnsemble: false,
    isEnsembleDue: false,
    background: '',
    quoted: '',
    evidence: attachedEvidence(attachments),
    news: [],
    isCounselOut: false,
    objections: [],
    isRepeated: false,
    rounds: [],
    started: 0,
    runs: [],
    allowed: [],
    reason: '',
  };
}

/** What was attached comes first: it is what the request is about. */
export function withGathering(
  {attachments, evidence}: AgentState,
  gathered: GatheringOutput,
): Partial<AgentState> {
  const attached = writeSections([attachedSection(attachments)]);
  return {
    background: [attached, gathered.background].filter((part) => part !== '').join('\n\n'),
    quoted: [attached, gathered.quoted].join('\n').trim(),
    evidence: [...evidence, ...gathered.evidence],
    ...(gathered.failure ? {failure: gathered.failure} : {}),
  };
}

/** What was gathered and what whoever asks lets it know, for all who plan, vote or work. */
export function knownTo({background, inherited}: AgentState): string {
  return [background, writeSections([inheritedSection(inherited)])].join('\n\n').trim();
}

/** A state that comes after planning has a plan; the empty one stands in where types can't say so. */
export function planOf({plan}: AgentState): Plan {
  return plan ?? {objective: '', reasoning: '', tasks: []};
}

export function withSettings(state: AgentState, change: SettingsChange): Partial<AgentState> {
  const level = change.agent?.consensusLevel;
  return {
    settings: changeSettings(state.settings, change),
    isEnsembleDue: level === undefined ? state.isEnsembleDue : level === 'ensemble',
  };
}

/** The first plan is drafted by an ensemble where the configuration asks for one; a plan that was given by nobody. */
export function draftBegun(state: AgentState): Partial<AgentState> {
  if (!isFirst(state)) return {isByEnsemble: state.isEnsembleDue, isEnsembleDue: false};
  return state.given ? {} : {isByEnsemble: true, isEnsembleDue: false};
}

/** Who drafts in an ensemble: the models of the panel, each once. */
export function plannersOf({settings, isByEnsemble}: AgentState): readonly string[] {
  const {agent, panel} = settings;
  if (agent.consensusLevel !== 'ensemble' || !isByEnsemble) return [];
  return [...new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model))];
}

export function withPlanning({rounds}: AgentState, output: PlanningOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {plan, by, objections = []} = output;
  return {plan, author: by, objections, isRepeated: rejectionOf(plan, rounds) !== undefined};
}

/** The round in which somebody spoke against exactly this plan: one that only lacked votes may be tried again. */
export function rejectionOf(plan: Plan, rounds: readonly ReviewRound[]): ReviewRound | undefined {
  const hash = planHash(plan);
  return rounds.findLast((round) => round.proposalHash === hash && isOpposed(round));
}

export function withRound({rounds}: AgentState, round: ReviewRound): Partial<AgentState> {
  return {rounds: [...rounds, round]};
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  return {
    runs: [...state.runs, {plan: planOf(state), results: output.results}],
    started: state.started + output.started,
  };
}

export function withEvaluation({runs}: AgentState, output: EvaluationOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {evaluation} = output;
  const {cancelReason} = evaluation;
  return {
    runs: runs.map((run, index) => (index === runs.length - 1 ? {...run, evaluation} : run)),
    ...(cancelReason === undefined ? {} : {reason: cancelReason}),
  };
}

export function evaluationOf({runs}: AgentState): Evaluation | undefined {
  return runs.at(-1)?.evaluation;
}

export function mayReplan({runs, settings}: AgentState): boolean {
  return runs.length <= settings.agent.maxReplans;
}

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

/** Nothing was voted on or run. */
export function isFirst({rounds, runs}: AgentState): boolean {
  return rounds.length === 0 && runs.length === 0;
}

/** Why a result that was rejected is a failed run. */
export function resultAgainst({rounds}: AgentState): string {
  const veto = vetoText(rounds.at(-1));
  return veto === undefined ? 'The panel rejected the result.' : `The result was ${veto}.`;
}
