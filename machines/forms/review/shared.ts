/** The context that a review shares with its children. */

import {historyText} from '../../panel/round.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {bullets} from '../../prompts/sections.ts';
import type {FormNow} from '../../tree/form-event.ts';
import type {ReviewState} from './review-state.ts';

export function reviewShared({
  state: {request, parts, rounds},
}: FormNow<ReviewState>): SharedPart[] {
  return [
    {title: 'Request', text: request, brief: briefLine(request)},
    {
      title: 'Diff',
      text: parts.map(({text}) => text).join('\n\n'),
      brief: bullets(parts.map(({title}) => title)),
    },
    {
      title: 'Votes',
      text: historyText(rounds),
      brief: bullets(rounds.map(({title, verdict, summary}) => `${title}: ${verdict} ${summary}`)),
    },
  ];
}
