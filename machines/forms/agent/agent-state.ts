/** The state of an agent, and its updates by settings. */

import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Grant} from '../../domain/human.ts';
import type {EditedPlan, Plan, PlannedChange} from '../../domain/plan.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {
  attachedEvidence,
  type Attachment,
  type Section,
  type Surroundings,
} from '../../prompts/sections.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {PendingMessage} from '../../tree/messages.ts';
import type {PlanRun} from './execution/open-work.ts';

/** An agent uses nearly all settings. */
export type AgentInput = Omit<FormInput, 'diff' | 'questionnaire' | 'respondent'>;

export interface AgentState extends AgentInput {
  readonly attachments: readonly Attachment[];
  /** True if an ensemble drafts, or made the last draft. */
  readonly isByEnsemble: boolean;
  /** A settings change asked for an ensemble during the run: it makes the next draft. */
  readonly isEnsembleDue: boolean;
  /** The sections gathered about the workspace. */
  readonly background: readonly Section[];
  readonly surroundings: Surroundings;
  /** Texts in the background that others wrote, in full. */
  readonly quoted: string;
  readonly evidence: readonly Evidence[];
  /** Messages received during the run, for planners, reviewers and judges. */
  readonly pendingMessages: readonly PendingMessage[];
  /** An interaction spawned by a rule is active: the next planning waits for its result. */
  readonly isAdvicePending: boolean;
  readonly plan?: Plan;
  /** The changes that the plan's calls make to files. */
  readonly changes: readonly PlannedChange[];
  /** The author of the plan: a model, or `person`. */
  readonly author?: string;
  /** The objections to the plan that a debate left open. */
  readonly objections: readonly string[];
  /** The current plan was rejected before: it is not voted on again. */
  readonly isRepeated: boolean;
  /** Votes on the plan and its revisions since the last replanning, then on the result. */
  readonly rounds: readonly ReviewRound[];
  /** The number of rounds before a person last asked for another plan, with which the count of revisions begins anew. */
  readonly revisedAt: number;
  /** The number of tasks started, over all plans. */
  readonly started: number;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  /** The last decision at a gate. */
  readonly word?: HumanGateOutput;
  readonly edited?: EditedPlan;
  /** Records who allowed which plan at a gate. It covers the exact calls of the plan. */
  readonly grant?: Grant;
  /** One {@link workHash} for each time that a plan was allowed at a gate. */
  readonly allowed: readonly string[];
  /** The closing answer on the last plan that ran. If empty, rules write it. */
  readonly answer: string;
  readonly reason: string;
  readonly failure?: Failure;
}

/** What an agent works on, what it knows of it, and its settings: its phases receive it whole. */
export type Work = {
  readonly [
    Name in
      | 'request'
      | 'asked'
      | 'inherited'
      | 'workspace'
      | 'settings'
      | 'attachments'
      | 'contextFiles'
      | 'background'
      | 'surroundings'
      | 'quoted'
  ]: AgentState[Name];
};

export function workOf(state: AgentState): Work {
  const {request, asked, inherited, workspace, settings, attachments, contextFiles} = state;
  const {background, surroundings, quoted} = state;
  return {
    request,
    asked,
    inherited,
    workspace,
    settings,
    attachments,
    contextFiles,
    background,
    surroundings,
    quoted,
  };
}

export function openState(input: AgentInput): AgentState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    isByEnsemble: false,
    isEnsembleDue: false,
    background: [],
    surroundings: {files: []},
    quoted: '',
    evidence: attachedEvidence(attachments),
    pendingMessages: [],
    isAdvicePending: false,
    changes: [],
    objections: [],
    isRepeated: false,
    rounds: [],
    revisedAt: 0,
    started: 0,
    runs: [],
    allowed: [],
    answer: '',
    reason: '',
  };
}

/** The current plan. After planning there always is one; the empty plan is only for the type. */
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
