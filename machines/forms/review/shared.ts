/** What a review lets those below it know. */

import {briefLine, type SharedPart} from '../../domain/inherited.ts';
import {bullets} from '../../domain/sections.ts';
import {historyText} from '../../panel/prompt.ts';
import type {ReviewState} from './review-state.ts';

export function reviewShared({request, parts, rounds}: ReviewState): SharedPart[] {
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
