/** The configuration for the charts: resolved, plain JSON, recorded in the journal when a run is opened. */

import type {AllowRule} from './allow-rule.ts';
import type {ContextMode, SpawnableForm} from './interaction-form.ts';
import type {Json} from './json.ts';
import {didYouMean} from './nearest.ts';
import type {Seat} from './review.ts';
import type {ToolInfo} from './tool.ts';

export type ConsensusLevel = 'solo' | 'ensemble';
export type PhaseScope = 'full' | 'fast' | 'plan-only';
export type OrchestrationStrategy = 'quorum' | 'debate';
export type HilMode = 'interactive' | 'auto_reject' | 'auto_approve';

export interface QuorumSettings {
  /** Parsed by `panel/rule.ts`. */
  readonly rule: string;
  /** `policy/name` of the policies that screen a proposal before any model: each may reject it, and none approves it. */
  readonly screen: readonly string[];
  /** For a review: no model is available for a seat. */
  readonly lacksModels?: boolean;
  readonly minParticipation: number;
  readonly deadlineMs: number;
  readonly feedbackGraceMs: number;
  /** The high-risk calls of a turn are one proposal. Runs of earlier versions vote on each by itself. */
  readonly perTurn?: boolean;
}

export interface AgentSettings {
  readonly consensusLevel: ConsensusLevel;
  /** For an ensemble: `debate` has the chosen plan debated. */
  readonly strategy: OrchestrationStrategy;
  readonly phaseScope: PhaseScope;
  readonly hilMode: HilMode;
  readonly maxPlanRevisions: number;
  /** For an ensemble: if the mean score of the best plan is lower, it is drafted once more. */
  readonly minPlanScore: number;
  readonly maxReplans: number;
  /** Maximum number of tasks started, replans included. */
  readonly maxIterations: number;
  /**
   * `rules`: no model is called before the plan; `auto`: nor if the workspace has few files. Absent, as in runs of earlier versions:
   * a model always explores, and always writes the closing answer.
   */
  readonly gathering?: 'auto' | 'rules';
  /** Maximum number of model calls of one task. */
  readonly maxToolTurns: number;
  readonly maxToolRetries: number;
  readonly maxParallelTasks: number;
  readonly requireFinalReview: boolean;
  readonly confirmExecution: boolean;
  /** `provider/model`. */
  readonly explorationModel: string;
  readonly decisionModel: string;
}

/** Model (`provider/model`) and limits of a question's loop. */
export interface AskSettings {
  readonly model: string;
  readonly maxSteps: number;
  /** For a tool whose execution failed. */
  readonly maxRetries: number;
  /** Messages kept of a conversation. */
  readonly maxHistory: number;
}

/** A participant of a discussion or a debate. */
export interface Participant {
  /** Unique in it: the model's name, with `#2` for a second seat of the same model. */
  readonly id: string;
  /** `provider/model`. */
  readonly model: string;
  /** For a participant by rule: its viewpoint, in a word. */
  readonly view?: string;
}

export interface DiscussSettings {
  readonly participants: readonly Participant[];
  readonly moderator: Participant;
  readonly strategy: OrchestrationStrategy;
  /** For one answer, one review, one conclusion; for one turn of a debate. */
  readonly deadlineMs: number;
}

export interface DebateSettings {
  readonly proponent: Participant;
  readonly opponent: Participant;
  readonly maxRounds: number;
  /** The intensity of the opponent's criticism. */
  readonly intensity: 'mild' | 'strong';
}

/** The models that lead an interview, and its limits for each field. */
export interface InterviewSettings {
  /** `provider/model`; with the offline model, rules lead the interview. */
  readonly model: string;
  /** Judges answers that rules can't judge. */
  readonly reviewer: string;
  /** Model calls of one agent until it asks, moves to the next field, or a prepared question is used instead. */
  readonly maxLoops: number;
  /** Maximum number of questions about one field after the first. */
  readonly maxFollowUps: number;
}

export interface ContextSettings {
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  /** The number of latest results that are included in full. */
  readonly recentFullCount: number;
  /** The size of AGENTS.md and the like together. Runs of earlier versions have none. */
  readonly maxFilesBytes?: number;
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
  /**
   * Context windows of models (`provider/model`), in tokens; {@link usualWindow} for others. Runs of earlier versions have none: their
   * conversations are shortened when a model refuses them.
   */
  readonly windows?: Readonly<Record<string, number>>;
  /** The person's permanent permissions in the workspace. Runs of earlier versions have none. */
  readonly allow?: readonly AllowRule[];
  /** Rules by which an interaction spawns others. Runs of earlier versions have none. */
  readonly spawn?: readonly SpawnRule[];
}

/** The context window that is assumed for a model without a known one, in tokens. */
export const usualWindow = 128_000;

/** A person's change of the settings during a run; absent parts stay the same. */
export interface SettingsChange {
  readonly agent?: Partial<AgentSettings>;
  readonly quorum?: Partial<QuorumSettings>;
  readonly ask?: Partial<AskSettings>;
  readonly discuss?: Partial<DiscussSettings>;
  readonly debate?: Partial<DebateSettings>;
  readonly interview?: Partial<InterviewSettings>;
  readonly panel?: readonly Seat[];
}

/** `settings`: all of them, or the parts that a form uses. */
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
 * Models that have lost their role, each with the model that has it now: work started with the old model continues with
 * the new one.
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
    ...replacements(speakingModels(before), speakingModels(after)),
    ...replacements(roles(before), [...roles(after), ...seats]),
  };
}

/** Models that are no longer in `now`, each with the model at the same index. */
function replacements(
  before: readonly string[],
  now: readonly string[],
): Readonly<Record<string, string>> {
  const replaced = before.map((model, place) => [model, now[place] ?? model] as const);
  return Object.fromEntries(replaced.filter(([model]) => !now.includes(model)).toReversed());
}

/** Runs of earlier versions have no settings of discussions and debates. */
function speakingModels({
  discuss,
  debate,
}: Pick<Partial<Settings>, 'discuss' | 'debate'>): string[] {
  const sides = debate ? [debate.proponent, debate.opponent] : [];
  const speaking = discuss ? [discuss.moderator, ...discuss.participants] : [];
  return [...sides, ...speaking].map(({model}) => model);
}

// A rule that spawns an interaction when an event happens for the N-th time.

export const ruleEvents = [
  'plan.rejected',
  'action.rejected',
  'task.failed',
  'quorum.noQuorum',
] as const;

export type RuleEvent = (typeof ruleEvents)[number];

export interface Trigger {
  readonly event: RuleEvent;
  /** From 1: the rule fires when the event happens for the N-th time, and never again. */
  readonly nth: number;
}

export interface SpawnRule extends Trigger {
  readonly form: SpawnableForm;
  readonly request: string;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export type TriggerReading =
  | ({readonly ok: true} & Trigger)
  /** The problem, as the continuation of a message that begins with the text. */
  | {readonly ok: false; readonly problem: string};

const maxTimes = 1_000;

/** Parses `EVENT:N`; `EVENT` alone means its first time. */
export function readTrigger(text: string): TriggerReading {
  const [name = '', count = '1', ...rest] = text.split(':');
  const event = ruleEvents.find((each) => each === name);
  if (!event) {
    const near = didYouMean(name, ruleEvents) || `; write ${writtenForm}`;
    return {ok: false, problem: `names no event that a rule can count${near}`};
  }
  const nth = /^\d{1,4}$/.test(count) && rest.length === 0 ? Number(count) : 0;
  if (nth >= 1 && nth <= maxTimes) return {ok: true, event, nth};
  return {
    ok: false,
    problem: `has no number from 1 to ${maxTimes} after the colon; write "${event}:2" for the second, "${event}" for the first`,
  };
}

const writtenForm = `${ruleEvents.slice(0, -1).join(', ')} or ${ruleEvents.at(-1)}, followed by :N for its N-th time`;

// Guardrails: limits for requests and answers. Checking a text is an effect.

export type GuardrailAction = 'allow' | 'warn' | 'block';

/** `GuardrailResult` of the spec. */
export interface GuardrailResult {
  readonly action: GuardrailAction;
  /** One line; empty when all is well. */
  readonly reason: string;
  /** The figures or the pattern behind the reason. */
  readonly details: Readonly<Record<string, Json>>;
}

export type GuardrailStage = 'input' | 'output';

export interface GuardrailSettings {
  /** Tokens, estimated by script. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Regular expressions in RE2's syntax. */
  readonly blockedPatterns: readonly string[];
}
