/** What all who speak in a discussion read before anything else. */

import type {ToolOutcome} from '../../domain/tool.ts';
import {newsSections} from '../../loop/news-text.ts';
import type {PortRequest} from '../../ports.ts';
import type {Ground} from '../ground.ts';
import type {DiscussState} from './discuss-state.ts';

const maxQuery = 2_000;

/** Documents that speak of the question. */
export function searchRequest({request, workspace}: DiscussState): PortRequest<'runTool'> {
  return {
    tool: 'search',
    args: {query: request.slice(0, maxQuery).toWellFormed()},
    workspace,
    repeatability: 'repeatable',
  };
}

/** Without a document that speaks of the question there are no passages. */
export function passagesIn(outcome: ToolOutcome): string {
  return outcome.kind === 'succeeded' && (outcome.sources ?? []).length > 0 ? outcome.text : '';
}

/** What everybody in it reads before anything else. */
export function groundOf(state: DiscussState): Ground {
  const {request: question, inherited, attachments, news, settings, survey, passages} = state;
  return {
    question,
    inherited,
    attachments,
    news: newsSections(news, settings.context.maxEntryBytes),
    survey,
    passages,
  };
}
