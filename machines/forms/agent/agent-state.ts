/** What an agent knows of its run, and how it takes in what its phases come to. */

import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Grant} from '../../domain/human.ts';
import type {EditedPlan, PlannedChange} from '../../domain/plan-changes.ts';
import type {Plan} from '../../domain/plan.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type Attachment, attachedEvidence} from '../../prompts/attachment.ts';
import type {Section} from '../../prompts/sections.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {PendingMessage} from '../../tree/messages.ts';
import type {PlanRun} from './execution/open-work.ts';

/** It goes by nearly all of the settings. */
export type AgentInput = Omit<FormInput, 'diff' | 'questionnaire' | 'respondent'>;

export interface AgentState extends AgentInput {
  readonly attachments: readonly Attachment[];
  /** Whether several planners draft, or drafted last. */
  readonly isByEnsemble: boolean;
  /** A person has asked for an ensemble in mid-run: it drafts what is drafted next. */
  readonly isEnsembleDue: boolean;
  /** What was gathered about the workspace. */
  readonly background: readonly Section[];
  /** What of it others wrote, in full. */
  readonly quoted: string;
  readonly evidence: readonly Evidence[];
  /** Messages received meanwhile, for planners, reviewers and judges. */
  readonly news: readonly PendingMessage[];
  /** What a rule has begun is still at work below: whoever plans next waits for it. */
  readonly isAdvicePending: boolean;
  readonly plan?: Plan;
  /** To the files that the calls of the plan write. */
  readonly changes: readonly PlannedChange[];
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
  /** The closing answer on the last plan that ran; empty: rules write it. */
  readonly answer: string;
  readonly reason: string;
  readonly failure?: Failure;
}

export function openState(input: AgentInput): AgentState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    isByEnsemble: false,
    isEnsembleDue: false,
    background: [],
    quoted: '',
    evidence: attachedEvidence(attachments),
    news: [],
    isAdvicePending: false,
    changes: [],
    objections: [],
    isRepeated: false,
    rounds: [],
    started: 0,
    runs: [],
    allowed: [],
    answer: '',
    reason: '',
  };
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

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}
