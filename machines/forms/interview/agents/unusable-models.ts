/** Models that do not use their tools: rules replace them for the rest of the form. */

import type {Fact} from '../../../facts/fact.ts';
import type {QuestionOutput} from '../../../questions/question.ts';
import type {Dialogue} from '../dialogue.ts';

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
