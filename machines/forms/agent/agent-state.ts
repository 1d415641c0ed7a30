/** The state of an agent, and its updates by settings. */

import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Grant} from '../../domain/human.ts';
import {type EditedPlan, type Plan, planDigest, type PlannedChange} from '../../domain/plan.ts';
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

type Task = 'request' | 'asked' | 'inherited' | 'workspace' | 'settings' | 'contextFiles';

/** An agent uses nearly all settings. */
export type AgentInput = Pick<FormInput, Task | 'attachments' | 'given'>;

/** What an agent works on, what it knows of it, and its settings: its phases receive it whole. */
export interface Work extends Readonly<{[Name in Task]: FormInput[Name]}> {
  readonly attachments: readonly Attachment[];
  /** The sections gathered about the workspace. */
  readonly background: readonly Section[];
  readonly surroundings: Surroundings;
  /** Texts in the background that others wrote, in full. */
  readonly quoted: string;
}

/** The current plan. */
interface Draft {
  /** Absent before the first plan. */
  readonly plan?: Plan;
  /** The changes that the plan's calls make to files. */
  readonly changes: readonly PlannedChange[];
  /** The author of the plan: a model, or `person`. */
  readonly author?: string;
  /** The objections to the plan that a debate left open. */
  readonly objections: readonly string[];
  /** The plan was rejected before: it is not voted on again. */
  readonly isRepeated: boolean;
}

/** The decisions at gates. */
export interface Gate {
  /** The last decision. */
  readonly word?: HumanGateOutput;
  readonly edited?: EditedPlan;
  /** Records who allowed which plan. It covers the exact calls of the plan. */
  readonly grant?: Grant;
  /** One {@link workHash} for each time that a plan was allowed. */
  readonly allowed: readonly string[];
}

/** At most 16 members: every step copies them, and V8 copies more about 20 times slower. */
export interface AgentState {
  readonly work: Work;
  /** The first plan, instead of a model's. */
  readonly given?: Plan;
  /** True if an ensemble drafts, or made the last draft. */
  readonly isByEnsemble: boolean;
  /** A settings change asked for an ensemble during the run: it makes the next draft. */
  readonly isEnsembleDue: boolean;
  readonly evidence: readonly Evidence[];
  /** Messages received during the run, for planners, reviewers and judges. */
  readonly pendingMessages: readonly PendingMessage[];
  /** An interaction spawned by a rule is active: the next planning waits for its result. */
  readonly isAdvicePending: boolean;
  readonly draft: Draft;
  /** Votes on the plan and its revisions since the last replanning, then on the result. */
  readonly rounds: readonly ReviewRound[];
  /** The number of rounds before a person last asked for another plan, with which the count of revisions begins anew. */
  readonly revisedAt: number;
  /** The number of tasks started, over all plans. */
  readonly started: number;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  readonly gate: Gate;
  /** The closing answer on the last plan that ran. If empty, rules write it. */
  readonly answer: string;
  readonly reason: string;
  readonly failure?: Failure;
}

export function openState(input: AgentInput): AgentState {
  const {request, asked, inherited, workspace, settings, attachments = [], contextFiles} = input;
  const {given} = input;
  return {
    work: {
      request,
      asked,
      inherited,
      workspace,
      settings,
      attachments,
      contextFiles,
      background: [],
      surroundings: {files: []},
      quoted: '',
    },
    ...(given ? {given} : {}),
    isByEnsemble: false,
    isEnsembleDue: false,
    evidence: attachedEvidence(attachments),
    pendingMessages: [],
    isAdvicePending: false,
    draft: {changes: [], objections: [], isRepeated: false},
    rounds: [],
    revisedAt: 0,
    started: 0,
    runs: [],
    gate: {allowed: []},
    answer: '',
    reason: '',
  };
}

/** The current plan. After planning there always is one; the empty plan is only for the type. */
export function planOf({draft}: AgentState): Plan {
  return draft.plan ?? {objective: '', reasoning: '', tasks: []};
}

/** SHA-256 of the plan and its changes: the subject of a vote or a gate. */
export function digestOf(state: AgentState): string {
  return planDigest(planOf(state), state.draft.changes);
}

export function withSettings(state: AgentState, change: SettingsChange): Partial<AgentState> {
  const level = change.agent?.consensusLevel;
  return {
    work: {...state.work, settings: changeSettings(state.work.settings, change)},
    isEnsembleDue: level === undefined ? state.isEnsembleDue : level === 'ensemble',
  };
}

export function isPlanOnly({work}: AgentState): boolean {
  return work.settings.agent.phaseScope === 'plan-only';
}
