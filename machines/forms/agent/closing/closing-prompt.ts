/** The prompt of the model that answers the request after its tasks have ended. */

import {personWords, quotedText, quotingRule} from '../../../prompts/section-text.ts';
import {inheritedSection, type Section, writeSections} from '../../../prompts/sections.ts';
import {openText, resultsText} from '../evaluation/results-text.ts';
import type {PlanRun} from '../execution/open-work.ts';

/** The maximum length of an answer that prompts ask for, in characters. */
export const wantedLength = 900;

export const closingSystem = `You answer a request after its tasks have ended. Write plain text for the person who asked, \
in the language of the request, in at most ${wantedLength} characters. Begin with the answer to the request. Then say what was done and \
where, what was found, and what was not done. Use only the results below: the calls below "Done" with their status and \
exit code are known, and the report of a worker is only a claim. Do not say that something was written, run or tested \
unless a call did it. Do not repeat raw output, and do not offer more work.
${quotingRule}`;

export interface ClosingBrief {
  readonly request: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  readonly runs: readonly PlanRun[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function closingMessage({
  request,
  inherited,
  pendingMessages,
  runs,
  maxResults,
}: ClosingBrief): string {
  return writeSections([
    ['Request', personWords(request)],
    inheritedSection(inherited),
    ...pendingMessages,
    ['Objective', quotedText(runs.at(-1)?.plan.objective)],
    ['Results', resultsText(runs, maxResults)],
    ['Not done', openText(runs)],
  ]);
}
