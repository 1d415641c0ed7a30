/** Correcting: the prompt of the model whose answer the record contradicts. */

import {
  engineLine,
  jsonText,
  listText,
  personWords,
  quotedText,
  quotingRule,
} from '../prompts/section-text.ts';
import {writeSections} from '../prompts/sections.ts';

export const correctionSystem = `You correct an answer to a question. The record of what was done contradicts some of its claims. Reply with the \
whole answer, in its language and as plain text, without these claims. If nothing was written, run or tested, say so. \
Add nothing else.
${quotingRule}`;

export interface CorrectionBrief {
  readonly question: string;
  readonly answer: string;
  /** Reasons of the rules of evidence. */
  readonly problems: readonly string[];
}

export function correctionMessage({question, answer, problems}: CorrectionBrief): string {
  return writeSections([
    ['Question', personWords(question)],
    ['Answer', quotedText(answer)],
    ['Problems', listText(problems.map((problem) => engineLine`${jsonText(problem)}`))],
  ]);
}
