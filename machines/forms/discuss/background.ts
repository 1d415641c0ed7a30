/** The background of a discussion: the survey, document passages and messages. */

import type {ToolOutcome} from '../../domain/tool.ts';
import type {PortRequest} from '../../ports.ts';
import {engineLine, quotedFrom} from '../../prompts/section-text.ts';
import {
  contextFilesSection,
  type Section,
  type Survey,
  surveyText,
} from '../../prompts/sections.ts';
import {messageSections} from '../../tree/messages.ts';
import type {Ground} from '../ground.ts';
import type {DiscussState} from './discuss-state.ts';

const maxQuery = 2_000;

export function backgroundOf(survey: Survey, passages: string): Section[] {
  return [
    ['Survey', surveyText(survey)],
    ['Passages of documents', quotedFrom(engineLine`Found by a search`, passages)],
  ];
}

/** A search for documents about the question. */
export function searchRequest({request, workspace}: DiscussState): PortRequest<'runTool'> {
  return {
    tool: 'search',
    args: {query: request.slice(0, maxQuery).toWellFormed()},
    workspace,
    repeatability: 'repeatable',
  };
}

/** Empty if the search failed or found no document. */
export function passagesIn(outcome: ToolOutcome): string {
  return outcome.kind === 'succeeded' && (outcome.sources ?? []).length > 0 ? outcome.text : '';
}

export function discussionGround(state: DiscussState): Ground {
  const {
    request: question,
    inherited,
    attachments,
    contextFiles,
    pendingMessages,
    settings,
    survey,
    passages,
  } = state;
  return {
    question,
    inherited,
    attachments,
    pendingMessages: messageSections(pendingMessages, settings.context.maxEntryBytes),
    background: [contextFilesSection(contextFiles), ...backgroundOf(survey, passages)],
  };
}
