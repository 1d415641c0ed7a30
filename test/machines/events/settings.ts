/** The configuration of an explored run: small limits, so that every end is near. */

import type {Seat} from '../../../machines/domain/review.ts';
import type {AgentSettings, HilMode, Settings} from '../../../machines/domain/settings.ts';
import type {Work} from '../../../machines/forms/agent/agent-state.ts';
import {panelRules} from '../../../machines/loop/action.ts';

export function modelSeat(name: string): Seat {
  return {id: name, kind: 'model', model: name, weight: 1, veto: false};
}

export const policySeat: Seat = {
  id: 'policy/safety',
  kind: 'policy',
  model: 'policy/safety',
  weight: 1,
  veto: false,
};

export const low = {risk: 'low', repeatability: 'repeatable', timeoutMs: 1_000} as const;
const high = {...low, risk: 'high'} as const;
export const readFile = {...low, name: 'read_file'} as const;
export const writeFile = {...high, name: 'write_file', repeatability: 'checkable'} as const;
export const runCommand = {...high, name: 'run_command', repeatability: 'once'} as const;
export const spawnAsk = {...high, name: 'spawn_ask', spawns: 'ask'} as const;
/** A shell whose commands are known by their text. */
export const shell = {
  ...runCommand,
  reaches: 'network',
  runs: {argument: 'command', language: 'shell', folder: 'working_dir'},
} as const;

export function smallSettings(
  hilMode: HilMode,
  panel: readonly Seat[],
  agent: Partial<AgentSettings> = {},
): Settings {
  return {
    agent: {
      consensusLevel: 'solo',
      strategy: 'quorum',
      phaseScope: 'full',
      minPlanScore: 6,
      hilMode,
      maxPlanRevisions: 2,
      maxReplans: 1,
      maxIterations: 3,
      maxToolTurns: 2,
      maxToolRetries: 1,
      maxParallelTasks: 2,
      requireFinalReview: false,
      confirmExecution: false,
      explorationModel: 'test/explorer',
      decisionModel: 'test/decider',
      ...agent,
    },
    quorum: {
      rule: 'majority',
      screen: [],
      minParticipation: 1,
      deadlineMs: 120_000,
      feedbackGraceMs: 5_000,
    },
    ask: {model: 'test/asker', maxSteps: 2, maxRetries: 1, maxHistory: 50},
    discuss: {
      participants: ['a', 'b'].map((id) => ({id: `test/${id}`, model: `test/${id}`})),
      moderator: {id: 'moderator', model: 'test/moderator'},
      strategy: 'quorum',
      deadlineMs: 300_000,
    },
    debate: {
      proponent: {id: 'pro', model: 'test/pro'},
      opponent: {id: 'con', model: 'test/con'},
      maxRounds: 2,
      intensity: 'mild',
    },
    guardrails: {maxInputTokens: 100, maxOutputTokens: 100, blockedPatterns: []},
    context: {maxEntryBytes: 1_000, maxTotalBytes: 4_000, recentFullCount: 1},
    panel,
    tools: [readFile, writeFile, runCommand],
    maxOutputTokens: 1_000,
  };
}

/** The settings of a run whose panel is one policy. */
export const usualSettings = smallSettings('interactive', [policySeat]);

/** The work of an agent, before anything is known about it. */
export function workWith(settings: Settings, more: object = {}): Work {
  return {
    request: 'do it',
    asked: undefined,
    inherited: undefined,
    workspace: '/w',
    settings,
    attachments: [],
    contextFiles: undefined,
    background: [],
    surroundings: {files: []},
    quoted: '',
    ...more,
  };
}

/** The surroundings of a call: its panel, its brief and no background. */
export const callGround = {
  panel: panelRules(usualSettings),
  brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
  background: [],
};

/** The input of a tree whose root has this form. */
export function treeInput(form: string, settings: Settings = usualSettings, more: object = {}) {
  const root = {id: 'root', form, contextMode: 'full', depth: 0};
  return {...root, request: 'do it', workspace: '/w', settings, ...more};
}
