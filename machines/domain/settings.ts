/** The configuration as the charts see it: resolved, plain JSON, fixed in the journal when a run is opened. */

import type {AllowRule} from './allow-rule.ts';
import type {GuardrailSettings} from './guardrail.ts';
import type {Seat} from './review.ts';
import type {SpawnRule} from './spawn-rule.ts';
import type {ToolInfo} from './tool.ts';

export type ConsensusLevel = 'solo' | 'ensemble';
export type PhaseScope = 'full' | 'fast' | 'plan-only';
export type OrchestrationStrategy = 'quorum' | 'debate';
export type HilMode = 'interactive' | 'auto_reject' | 'auto_approve';

export interface QuorumSettings {
  /** As `panel/rule.ts` reads it. */
  readonly rule: string;
  /** `policy/name` of those that are heard before any model: each may refuse, and none approves. */
  readonly screen: readonly string[];
  /** Of a review: no model that should have a seat can be used. */
  readonly lacksModels?: boolean;
  readonly minParticipation: number;
  readonly deadlineMs: number;
  readonly feedbackGraceMs: number;
}

export interface AgentSettings {
  readonly consensusLevel: ConsensusLevel;
  /** Of an ensemble: `debate` has the plan debated that is taken. */
  readonly strategy: OrchestrationStrategy;
  readonly phaseScope: PhaseScope;
  readonly hilMode: HilMode;
  readonly maxPlanRevisions: number;
  /** Of an ensemble: below this mean score the best plan is drafted once more. */
  readonly minPlanScore: number;
  readonly maxReplans: number;
  /** Tasks started, replans included. */
  readonly maxIterations: number;
  /** Model calls of one task. */
  readonly maxToolTurns: number;
  readonly maxToolRetries: number;
  readonly maxParallelTasks: number;
  readonly requireFinalReview: boolean;
  readonly confirmExecution: boolean;
  /** `provider/model`. */
  readonly explorationModel: string;
  readonly decisionModel: string;
}

/** `provider/model` and limits of a question's loop. */
export interface AskSettings {
  readonly model: string;
  readonly maxSteps: number;
  /** Of a tool whose execution failed. */
  readonly maxRetries: number;
  /** Messages kept of a conversation. */
  readonly maxHistory: number;
}

/** Who takes part in a discussion or a debate. */
export interface Participant {
  /** Unique in it: the model's name, with `#2` for a second seat of the same model. */
  readonly id: string;
  /** `provider/model`. */
  readonly model: string;
  /** Of one that works by rule: what it looks for, in a word. */
  readonly view?: string;
}

export interface DiscussSettings {
  readonly participants: readonly Participant[];
  readonly moderator: Participant;
  readonly strategy: OrchestrationStrategy;
  /** Of one answer, one review, one conclusion; of one turn of a debate. */
  readonly deadlineMs: number;
}

export interface DebateSettings {
  readonly proponent: Participant;
  readonly opponent: Participant;
  readonly maxRounds: number;
  /** How hard the opponent is to try. */
  readonly intensity: 'mild' | 'strong';
}

/** Who leads an interview, and how long it goes on about one thing. */
export interface InterviewSettings {
  /** `provider/model`; the offline one: rules lead it. */
  readonly model: string;
  /** Judges what rules can't. */
  readonly reviewer: string;
  /** Model calls of one agent until it asks, goes on, or a prepared question is asked in its place. */
  readonly maxLoops: number;
  /** Questions about one field after the first. */
  readonly maxFollowUps: number;
}

export interface ContextSettings {
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  /** How many of the latest results are given whole. */
  readonly recentFullCount: number;
}

export interface Settings {
  readonly agent: AgentSettings;
  readonly quorum: QuorumSettings;
  readonly ask: AskSettings;
  readonly discuss: DiscussSettings;
  readonly debate: DebateSettings;
  /** Runs of earlier versions have none. */
  readonly interview?: InterviewSettings;
  readonly guardrails: GuardrailSettings;
  readonly context: ContextSettings;
  /** The seats of every panel, in the order of the configuration. In `fast`: the policy reviewers alone. */
  readonly panel: readonly Seat[];
  readonly tools: readonly ToolInfo[];
  readonly maxOutputTokens: number;
  /** What the person allows for good in the workspace. Runs of earlier versions have none. */
  readonly allow?: readonly AllowRule[];
  /** Rules by which an interaction spawns others. Runs of earlier versions have none. */
  readonly spawn?: readonly SpawnRule[];
}

/** What a person changes in mid-run; what is absent stays as it is. */
export interface SettingsChange {
  readonly agent?: Partial<AgentSettings>;
  readonly quorum?: Partial<QuorumSettings>;
  readonly ask?: Partial<AskSettings>;
  readonly discuss?: Partial<DiscussSettings>;
  readonly debate?: Partial<DebateSettings>;
  readonly interview?: Partial<InterviewSettings>;
  readonly panel?: readonly Seat[];
}

/** `settings`: all of them, or the parts that a form goes by. */
export function changeSettings<Some extends Partial<Settings>>(
  settings: Some,
  {agent, quorum, ask, discuss, debate, interview, panel}: SettingsChange,
): Some {
  return {
    ...settings,
    ...(agent ? {agent: {...settings.agent, ...agent}} : {}),
    ...(quorum ? {quorum: {...settings.quorum, ...quorum}} : {}),
    ...(ask ? {ask: {...settings.ask, ...ask}} : {}),
    ...(discuss ? {discuss: {...settings.discuss, ...discuss}} : {}),
    ...(debate ? {debate: {...settings.debate, ...debate}} : {}),
    ...(settings.interview ? {interview: {...settings.interview, ...interview}} : {}),
    ...(panel ? {panel} : {}),
  };
}

/**
 * Models that no role has any more, each with the one that has its role now: what was begun with the one goes on with the
 * other.
 */
export function replacedModels(
  before: Settings,
  after: Settings,
): Readonly<Record<string, string>> {
  const roles = ({agent, ask, interview}: Settings): readonly string[] => [
    agent.decisionModel,
    agent.explorationModel,
    ask.model,
    ...(interview ? [interview.model, interview.reviewer] : []),
  ];
  const seats = after.panel.map(({model}) => model);
  return {
    ...gone(voicesIn(before), voicesIn(after)),
    ...gone(roles(before), [...roles(after), ...seats]),
  };
}

/** Those that are no more among those now, each with the one in its place. */
function gone(before: readonly string[], now: readonly string[]): Readonly<Record<string, string>> {
  const replaced = before.map((model, place) => [model, now[place] ?? model] as const);
  return Object.fromEntries(replaced.filter(([model]) => !now.includes(model)).toReversed());
}

/** Runs of earlier versions hold no discussion, and no debate. */
function voicesIn({discuss, debate}: Pick<Partial<Settings>, 'discuss' | 'debate'>): string[] {
  const sides = debate ? [debate.proponent, debate.opponent] : [];
  const speaking = discuss ? [discuss.moderator, ...discuss.participants] : [];
  return [...sides, ...speaking].map(({model}) => model);
}
