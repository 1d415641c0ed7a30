/** What a discussion lets those below it know. Who said what is not told. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {Recorded} from '../../facts/record.ts';
import {attachedText} from '../../prompts/attachment.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {bullets} from '../../prompts/sections.ts';
import type {DebateOutput} from '../debate/debate-state.ts';
import {ledgerText} from '../debate/prompt.ts';
import {voicesIn} from './answers.ts';
import type {DiscussState} from './discuss-state.ts';

type Held = Pick<DebateOutput, 'position' | 'objections'>;

export function discussShared(
  state: DiscussState,
  _: readonly Recorded[],
  discussion: AnyActorRef,
): SharedPart[] {
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
    ...debateShared(state, discussion),
  ];
}

/** Of a debate as it stands, or as it ended. */
function debateShared({debate}: DiscussState, discussion: AnyActorRef): SharedPart[] {
  const {children}: AnyMachineSnapshot = discussion.getSnapshot();
  const held: Held | undefined = debate ?? children['debate']?.getSnapshot().context;
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
