/** The context that an ask shares with its children. */

import {stepsIn} from '../../facts/fact.ts';
import {briefLine, type SharedPart, stepsShared} from '../../prompts/inherited.ts';
import {attachedText} from '../../prompts/sections.ts';
import type {FormNow} from '../../tree/form-event.ts';
import type {AskState} from './ask-state.ts';

export function askShared({state, facts}: FormNow<AskState>): SharedPart[] {
  const {request, attachments, settings} = state;
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    stepsShared(stepsIn(facts), settings.context.maxEntryBytes),
  ];
}
