/** The context that an ask shares with its children. */

import {stepsIn} from '../../facts/fact.ts';
import {attachedText} from '../../prompts/attachment.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import type {FormNow} from '../../tree/form-now.ts';
import {stepsShared} from '../steps-text.ts';
import type {AskState} from './ask-state.ts';

export function askShared({state, facts}: FormNow<AskState>): SharedPart[] {
  const {request, attachments, settings} = state;
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    stepsShared(stepsIn(facts), settings.context.maxEntryBytes),
  ];
}
