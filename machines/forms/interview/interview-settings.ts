/** The settings of an interview's agents: models or rules lead it. */

import type {Settings} from '../../domain/settings.ts';
import type {Fact} from '../../facts/fact.ts';
import type {QuestionOutput} from '../../questions/question.ts';
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

// Models that do not use their tools: rules replace them for the rest of the form.

/** True when the model's last reply to a question was text without a call. */
export function isWordsAlone(output: QuestionOutput): boolean {
  return output.kind === 'unanswered' && output.said !== '';
}

export function withUnusable(dialogue: Dialogue, model: string): Dialogue {
  return {...dialogue, unusableModels: [...dialogue.unusableModels, model]};
}

export function replacementReport(agent: string, model: string): Fact {
  return {
    type: 'warning',
    message: `rules replace the ${agent} for the rest of the form: ${model} does not use its tools`,
  };
}
