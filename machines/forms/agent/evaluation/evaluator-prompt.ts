/** The prompt of the evaluator. */

import {
  engineLine,
  jsonText,
  listText,
  nameText,
  personWords,
  quotedText,
  quotingRule,
} from '../../../prompts/section-text.ts';
import {inheritedSection, type Section, writeSections} from '../../../prompts/sections.ts';
import type {PlanRun} from '../execution/open-work.ts';
import {feedbackText, resultsText} from './results-text.ts';

export const evaluatorSystem = `You judge whether the tasks of a plan reached what the request asked for. Call \
evaluate_result exactly once. Compare each result with its expected outcome; what earlier plans did counts as well. \
The calls below "Done" with their status and exit code are known; the report of a worker is only a claim: judge it by \
the calls that were made. successful is true only if nothing is left to do; otherwise list the problems and give feedback \
for planning what is left. Set cancel_reason only if it makes no sense to continue. A command that failed \
on the way, such as a search without a match, is a fact and no problem by itself: judge what was reached in the end. Problems \
found by code stand: a failed check, a missing file or a claim that the record contradicts is not a success.
${quotingRule}`;

export interface EvaluationBrief {
  readonly request: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  /** Messages received during the run. */
  readonly pendingMessages?: readonly Section[];
  readonly runs: readonly PlanRun[];
  readonly checked: readonly string[];
  readonly removed: readonly string[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function evaluationMessage({
  request,
  inherited,
  pendingMessages = [],
  runs,
  checked,
  removed,
  maxResults,
}: EvaluationBrief): string {
  return writeSections([
    ['Request', personWords(request)],
    inheritedSection(inherited),
    ...pendingMessages,
    ['Objective', quotedText(runs.at(-1)?.plan.objective)],
    ['Earlier feedback', feedbackText(runs)],
    ['Results', resultsText(runs, maxResults)],
    ['Written, and gone since', listText(removed.map((path) => engineLine`${nameText(path)}`))],
    [
      'Problems found by code',
      listText(checked.map((problem) => engineLine`${jsonText(problem)}`)),
    ],
  ]);
}
