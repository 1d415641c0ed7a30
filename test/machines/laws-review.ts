/** Laws of the review of calls: when they ask a person, and what they may allow. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {roundsIn} from '../../machines/facts/folds.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {ToolCall} from '../../machines/prompts/transcript.ts';
import type {Played} from '../support/played.ts';
import {falseVotes, isApprovedInTurn, isCallApproved} from './laws-approval.ts';
import {
  listIn,
  outputOf,
  reportsOf,
  requestsOf,
  settlementsOf,
  under,
  unless,
  valueIn,
} from './laws-record.ts';

const rejectionsUntilHuman = 3;

/** A call is allowed exactly when it was approved; a person is asked when the panel can't decide, or may not. */
export function actionReviewFaults(
  played: Played,
  {name: tool}: ToolCall,
  settings: Settings,
  rejectionsInARow: number,
): string[] {
  const record = played.log;
  const preview = settlementsOf(record, 'previewTool').at(-1)?.outcome;
  const [round] = reportsOf(record, 'quorum.decided');
  const isThird = rejectionsInARow + 1 >= rejectionsUntilHuman;
  const isUndecided =
    valueIn(round, 'verdict') === 'noQuorum' ||
    (valueIn(round, 'verdict') === 'rejected' && isThird);
  const isForPerson =
    valueIn(round, 'approved') === true && valueIn(preview, 'protectedReason') !== undefined;
  const isNeeded = isUndecided || isForPerson;
  const asked = requestsOf(record, 'askHuman').length;
  const decided = reportsOf(record, 'human.decided').length;
  return [
    ...falseVotes(played, settings),
    ...unless(asked <= (isNeeded ? 1 : 0), 'a person is asked without need'),
    ...falseAnswers(record),
    ...(played.status() === 'done'
      ? [
          ...unless(decided === (isNeeded ? 1 : 0), 'it ends without the gate that it needs'),
          ...reviewEndFaults(played, tool, preview, settings),
        ]
      : []),
  ];
}

/** No mode approves a proposal that the panel did not approve and that a reviewer by rule could not judge. */
function falseAnswers(record: Played['log']): string[] {
  const rounds = reportsOf(record, 'quorum.decided');
  return reportsOf(record, 'human.decided').flatMap((decided) => {
    const round = rounds.find(
      (each) => valueIn(each, 'proposalHash') === valueIn(decided, 'proposalHash'),
    );
    const voices = [...listIn(round, 'votes'), ...listIn(round, 'screened')];
    const isUnjudged =
      valueIn(round, 'approved') === false &&
      voices.some((voice) => listIn(voice, 'unknown').length > 0);
    const isYes = valueIn(decided, 'decision') === 'approve';
    const isByMode = valueIn(decided, 'by') === 'auto_approve';
    return unless(!(isUnjudged && isYes && isByMode), 'auto_approve approves an unjudged proposal');
  });
}

function reviewEndFaults(
  played: Played,
  tool: string,
  preview: object | undefined,
  {panel}: Settings,
): string[] {
  const record = played.log;
  const args = argsIn(preview);
  const approved = args && isCallApproved(record, 'subject', {tool, args}, panel);
  const expected = args === undefined ? 'refused' : approved === true ? 'allowed' : 'rejected';
  const output = valueIn(outputOf(played), '0');
  const rounds = reportsOf(record, 'quorum.decided').length;
  const passed = roundsIn(played.facts()).length;
  return [
    ...unless(
      valueIn(output, 'kind') === expected,
      `${String(valueIn(output, 'kind'))}, not ${expected}`,
    ),
    ...unless(
      expected !== 'allowed' ||
        canonicalJson(valueIn(output, 'preview')) === canonicalJson(withDelivery(preview)),
      'something else than the preview is allowed',
    ),
    ...unless(rounds === passed, 'a vote is not recorded'),
  ];
}

/** Of a proposal of several calls: those that are allowed come first, and each was approved; the proposal is rejected once. */
export function turnReviewFaults(played: Played, {panel}: Settings): string[] {
  const record = played.log;
  const reviews = listIn({reviews: outputOf(played)}, 'reviews');
  const kinds = reviews.map((review) => valueIn(review, 'kind'));
  const allowed = reviews.filter((review) => valueIn(review, 'kind') === 'allowed');
  const isAnsweredByMode = reportsOf(record, 'warning').length > 0;
  const unapproved = allowed.filter((review) => {
    const shown = valueIn(review, 'preview');
    const args = argsIn(isJsonObject(shown) ? shown : undefined) ?? {};
    const hash = actionHash('write_file', {args, preview: String(valueIn(shown, 'preview'))});
    return !isApprovedInTurn(under(record, 'subject'), hash, panel);
  });
  const previews = requestsOf(record, 'previewTool').map(({request}) => request);
  const isOnEarlier = previews.every(({earlier = []}, at) => earlier.length === at);
  return [
    ...falseVotes(played, {panel}),
    ...unless(isOnEarlier, 'a preview does not count the calls before it'),
    ...unless(unapproved.length === 0 || isAnsweredByMode, 'a call is allowed by nobody'),
    ...unless(
      kinds.lastIndexOf('allowed') === allowed.length - 1,
      `${kinds.join(', ')}: a call is allowed after one that is not`,
    ),
    ...unless(kinds.length === 0 || kinds.length === 2, 'not every call has a decision'),
  ];
}

/** An outcome as it is delivered. */
function withDelivery(outcome: object | undefined): object {
  return {at: 0, ms: 1, ...outcome};
}

function argsIn(preview: object | undefined): JsonObject | undefined {
  const args = valueIn(preview, 'args');
  return isJsonObject(args) ? args : undefined;
}
