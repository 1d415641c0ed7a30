/** The context that a discussion shares with its children. It names no authors. */

import type {MachineContext} from 'xstate';

import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {attachedText, bullets} from '../../prompts/sections.ts';
import type {FormNow} from '../../tree/form-event.ts';
import type {DebateOutput, DebateState} from '../debate/debate-state.ts';
import {ledgerText} from '../debate/prompt.ts';
import {voicesIn} from './answers.ts';
import type {DiscussState} from './discuss-state.ts';

type Held = Pick<DebateOutput, 'position' | 'objections'>;

export function discussShared({state, inside}: FormNow<DiscussState>): SharedPart[] {
  const {request, attachments, survey, passages} = state;
  const answers = voicesIn(state).map(({text}, index) => `Answer ${index + 1}: ${text}`);
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    {title: 'Background', text: [survey.text, passages].join('\n\n')},
    {
      title: 'Answers so far',
      text: answers.join('\n\n'),
      brief: bullets(answers.map(briefLine)),
    },
    ...debateShared(state, inside),
  ];
}

function isDebate(context: MachineContext): context is DebateState {
  return 'objections' in context;
}

/** The position and the objections of a debate, active or ended. */
function debateShared({debate}: DiscussState, inside: readonly MachineContext[]): SharedPart[] {
  const held: Held | undefined = debate ?? inside.find(isDebate);
  if (!held) return [];
  const {position, objections} = held;
  return [
    {title: 'Position', text: position, brief: briefLine(position)},
    {
      title: 'Objections',
      text: ledgerText(objections),
      brief: bullets(objections.map((each) => briefLine(ledgerText([each])))),
    },
  ];
}
