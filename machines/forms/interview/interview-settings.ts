/** Who leads an interview: models, or the rules alone. */

import type {Settings} from '../../domain/settings.ts';
import type {Dialogue} from './dialogue.ts';

/** What the agents of an interview go by. */
export interface AgentSettings {
  /** `provider/model` of those that talk; of the one that reviews. */
  readonly model: string;
  readonly reviewer: string;
  /** No model talks; no model reviews. */
  readonly isByRule: boolean;
  readonly isReviewedByRule: boolean;
  readonly maxLoops: number;
  readonly maxFollowUps: number;
  readonly maxOutputTokens: number;
}

/** The model that works by rule, as the configuration names it: an interview does what it would by itself. */
const byRule = 'offline/offline';

export function agentSettings({
  interview,
  agent,
  maxOutputTokens,
}: Pick<Settings, 'interview' | 'agent' | 'maxOutputTokens'>): AgentSettings {
  const {decisionModel: model} = agent;
  const chosen = interview ?? {model, reviewer: model, maxLoops: 10, maxFollowUps: 3};
  return {
    ...chosen,
    isByRule: chosen.model === byRule,
    isReviewedByRule: chosen.reviewer === byRule,
    maxOutputTokens,
  };
}

interface Agents {
  readonly settings: AgentSettings;
  readonly dialogue: Pick<Dialogue, 'unusableModels'>;
}

export function isLedByRule({settings, dialogue}: Agents): boolean {
  return settings.isByRule || dialogue.unusableModels.includes(settings.model);
}

export function isReviewedByRule({settings, dialogue}: Agents): boolean {
  return settings.isReviewedByRule || dialogue.unusableModels.includes(settings.reviewer);
}
