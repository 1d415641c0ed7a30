/** What a question lets those below it know. */

import {type Recorded, stepsIn} from '../../facts/record.ts';
import {attachedText} from '../../prompts/attachment.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {stepsShared} from '../steps-text.ts';
import type {AskState} from './ask-state.ts';

export function askShared(
  {request, attachments, settings}: AskState,
  facts: readonly Recorded[],
): SharedPart[] {
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    stepsShared(stepsIn(facts), settings.context.maxEntryBytes),
  ];
}
