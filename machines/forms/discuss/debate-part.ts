/** A discussion held as a debate: what the debate is given, what a person is asked of it, what the chair reads. */

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
  const {settings} = state;
  const {moderator, deadlineMs} = settings.discuss;
  return {
    ground: discussionGround(state),
    rules: settings.debate,
    maxMessageBytes: settings.context.maxEntryBytes,
    moderator,
    deadlineMs,
    maxOutputTokens: settings.maxOutputTokens,
  };
}

export function debateMessage(state: DiscussState, debate: DebateOutput): string {
  const word = debate.outcome === 'settled' ? undefined : wordOn(state);
  return debateChairMessage(briefOf({...openDebate(debateInput(state)), ...debate}), word);
}

/** What a person, or a mode, said of what was left open. */
function wordOn({word}: DiscussState): string {
  const by = word?.by === 'person' ? 'a person' : (word?.by ?? 'nobody');
  return `Grave objections are left open; ${by} accepted the position none the less${reasonIn(word)}.`;
}

/** `: …`, or nothing. */
export function reasonIn(word: DiscussState['word']): string {
  const {decision} = word ?? {};
  return decision && 'reason' in decision && decision.reason !== undefined
    ? `: ${decision.reason}`
    : '';
}

/** Whether the position may stand although objections to it do. */
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
