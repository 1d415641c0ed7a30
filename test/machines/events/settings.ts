/** The configuration of an explored run: small limits, so that every end is near. */

import type {Seat} from '../../../machines/domain/review.ts';
import type {AgentSettings, HilMode, Settings} from '../../../machines/domain/settings.ts';

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

export const readFile = {
  name: 'read_file',
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 1_000,
} as const;
export const writeFile = {
  name: 'write_file',
  risk: 'high',
  repeatability: 'checkable',
  timeoutMs: 1_000,
} as const;
export const runCommand = {
  name: 'run_command',
  risk: 'high',
  repeatability: 'once',
  timeoutMs: 1_000,
} as const;

export const spawnAsk = {
  name: 'spawn_ask',
  risk: 'high',
  repeatability: 'repeatable',
  timeoutMs: 1_000,
  spawns: 'ask',
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
