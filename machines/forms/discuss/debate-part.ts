/** A discussion with the strategy `debate`: the input of the debate, the question to a person, the chair's message. */

import {hashOf} from '../../domain/digest.ts';
import type {HumanQuestion} from '../../domain/human.ts';
import {isBlocking, isOpen} from '../../domain/ledger.ts';
import {briefOf} from '../debate/debate-polls.ts';
import {type DebateInput, type DebateOutput, openDebate} from '../debate/debate-state.ts';
import {ledgerText} from '../debate/prompt.ts';
import {discussionGround} from './background.ts';
import type {DiscussState} from './discuss-state.ts';
import {debateChairMessage} from './prompt.ts';

export function debateInput(state: DiscussState): DebateInput {
  return {ground: discussionGround(state), settings: state.settings};
}

export function debateMessage(state: DiscussState, debate: DebateOutput): string {
  const word = debate.outcome === 'settled' ? undefined : decisionText(state);
  return debateChairMessage(briefOf({...openDebate(debateInput(state)), ...debate}), word);
}

/** The decision of a person or a mode on the open objections. */
function decisionText({word}: DiscussState): string {
  const by = word?.by === 'person' ? 'a person' : (word?.by ?? 'nobody');
  return `Grave objections are still open; ${by} accepted the position anyway${reasonIn(word)}.`;
}

/** `: ` and the reason, or an empty text. */
export function reasonIn(word: DiscussState['word']): string {
  const {decision} = word ?? {};
  return decision && 'reason' in decision && decision.reason !== undefined
    ? `: ${decision.reason}`
    : '';
}

/** Asks whether to keep the position although critical or major objections are open. */
export function debateQuestion({request, debate}: DiscussState): HumanQuestion {
  const {position = '', objections = [], rounds = 0} = debate ?? {};
  const open = objections.filter(isBlocking);
  const count = open.length === 1 ? '1 grave objection is' : `${open.length} grave objections are`;
  return {
    kind: 'debate',
    request,
    reason: `After ${rounds === 1 ? '1 round' : `${rounds} rounds`} of debate ${count} open.`,
    preview: [position, '', ledgerText(objections.filter(isOpen))].join('\n'),
    proposalHash: hashOf({position, open}),
    history: [],
    allowed: ['approve', 'reject'],
  };
}
