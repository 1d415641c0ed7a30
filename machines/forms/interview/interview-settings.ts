/** The settings of an interview's agents: models or rules lead it. */

import type {Settings} from '../../domain/settings.ts';
import type {Dialogue} from './dialogue.ts';

export interface AgentSettings {
  /** `provider/model` that talks with the person. */
  readonly model: string;
  /** `provider/model` that reviews answers. */
  readonly reviewer: string;
  /** True when no model talks with the person. */
  readonly isByRule: boolean;
  /** True when no model reviews answers. */
  readonly isReviewedByRule: boolean;
  readonly maxLoops: number;
  readonly maxFollowUps: number;
  readonly maxOutputTokens: number;
}

/** The configured name of the model that works by rule. An interview applies its own rules instead of calling it. */
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
