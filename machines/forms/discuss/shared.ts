/** What a discussion lets those below it know. Who said what is not told. */

import {attachedText} from '../../domain/attachment.ts';
import {briefLine, type SharedPart} from '../../domain/inherited.ts';
import {bullets} from '../../domain/sections.ts';
import {ledgerText} from '../debate/prompt.ts';
import {type DiscussState, voicesIn} from './discuss-state.ts';

export function discussShared(state: DiscussState): SharedPart[] {
  const {request, attachments, survey, passages} = state;
  const answers = voicesIn(state).map(({text}, index) => `Answer ${index + 1}: ${text}`);
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    {title: 'Background', text: [survey, passages].join('\n\n')},
    {
      title: 'Answers so far',
      text: answers.join('\n\n'),
      brief: bullets(answers.map(briefLine)),
    },
    ...debateShared(state),
  ];
}

function debateShared({debate}: DiscussState): SharedPart[] {
  if (!debate) return [];
  const {position, objections} = debate;
  return [
    {title: 'Position', text: position, brief: briefLine(position)},
    {
      title: 'Objections',
      text: ledgerText(objections),
      brief: bullets(objections.map((each) => briefLine(ledgerText([each])))),
    },
  ];
}
