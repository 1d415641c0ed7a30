/** The prompt of the model that corrects its contradicted answer. */

import {
  engineLine,
  jsonText,
  listText,
  personWords,
  quotedText,
  quotingRule,
} from '../prompts/section-text.ts';
import {writeSections} from '../prompts/sections.ts';

export const correctionSystem = `You correct an answer to a question. The record of the calls contradicts some of its claims. Reply with the whole \
answer, in its language and as plain text, without these claims. If nothing was written, run or tested, say so. \
Add nothing else.
${quotingRule}`;

export interface CorrectionBrief {
  readonly question: string;
  readonly answer: string;
  /** The reasons of the `evidence` policy. */
  readonly problems: readonly string[];
}

export function correctionMessage({question, answer, problems}: CorrectionBrief): string {
  return writeSections([
    ['Question', personWords(question)],
    ['Answer', quotedText(answer)],
    ['Problems', listText(problems.map((problem) => engineLine`${jsonText(problem)}`))],
  ]);
}
