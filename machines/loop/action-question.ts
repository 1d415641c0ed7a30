/** The question to a person about an action. */

import type {AnyActorRef} from 'xstate';

import type {HumanQuestion} from '../domain/human.ts';
import {type ReviewRound, undecidedText, vetoText} from '../domain/review.ts';
import {callSummary} from '../domain/tool-facts.ts';
import {rejectionsBefore} from '../facts/folds.ts';
import {factsAround} from '../facts/record.ts';
import {
  type Action,
  type ActionReviewContext,
  isForPersonAlone,
  lastingSubject,
  proposalOf,
  proposedActions,
  rejectionsUntilPerson,
} from './action-state.ts';
import {doubtNote} from './action.ts';

/** The vote on the action, preceded by the votes on the actions rejected before it, if a person is asked because of the row. */
export function historyOf(
  {round, row}: ActionReviewContext,
  self: AnyActorRef,
): readonly ReviewRound[] {
  if (!round) return [];
  return row < rejectionsUntilPerson
    ? [round]
    : [...rejectionsBefore(factsAround(self), round, rejectionsUntilPerson - 1), round];
}

export function actionQuestion(
  context: ActionReviewContext,
  history: readonly ReviewRound[],
): HumanQuestion {
  const {brief} = context;
  const proposal = proposalOf(context);
  const lasting = lastingSubject(context);
  return {
    kind: isForPersonAlone(context) ? 'protected' : 'action',
    request: brief.request,
    reason: questionReason(context),
    preview: [proposal.title, ...previewLines(proposedActions(context))].join('\n'),
    proposalHash: proposal.hash,
    history,
    ...(lasting ? {lasting} : {}),
    allowed: ['approve', ...(lasting ? (['always'] as const) : []), 'reject'],
  };
}

/** Several calls are numbered. */
function previewLines(actions: readonly Action[]): string[] {
  return actions.flatMap(({call, tool, preview, isDoubted}, at) => {
    const title = `${at + 1}. ${callSummary(call.name, preview.args, tool)}`;
    return [
      ...(actions.length > 1 ? ['', title] : []),
      preview.preview,
      ...(isDoubted ? [doubtNote] : []),
    ];
  });
}

function questionReason(context: ActionReviewContext): string {
  const {round} = context;
  const actions = proposedActions(context);
  if (round?.approved === true) {
    const {personReason} = actions.find((action) => action.personReason !== undefined) ?? {};
    const why = actions.some(({isDoubted}) => isDoubted)
      ? 'The end of its first try was not recorded: only a person may allow another.'
      : 'Only a person may allow this.';
    return personReason ?? why;
  }
  const what = actions.length > 1 ? 'these actions' : 'this action';
  if (round?.verdict === 'noQuorum') return undecidedText(round, what);
  const veto = vetoText(round);
  const last = veto === undefined ? '' : ` The last was ${veto}.`;
  return `The panel rejected ${rejectionsUntilPerson} actions in a row.${last}`;
}
