/** Laws of the agent's phases and of the review of a call: how often they ask, and what they may conclude. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {TaskResult} from '../../machines/domain/result.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {roundsIn} from '../../machines/facts/folds.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {ToolCall} from '../../machines/prompts/transcript.ts';
import type {Played} from '../support/played.ts';
import type {LawfulScenario} from './explored.ts';
import {falseVotes, isApprovedInTurn, isCallApproved} from './laws-approval.ts';
import {
  listIn,
  outputOf,
  type History,
  reportsOf,
  requestsOf,
  settlementsOf,
  sinceResume,
  under,
  unless,
  valueIn,
} from './laws-record.ts';
import {callsOf, isCallDone, isPassing, longestRow, workFaults} from './laws-turns.ts';

const maxDrafts = 3;
const maxAttempts = 5;
const rejectionsUntilHuman = 3;

/**
 * Laws by the rule that each states. `sound` is the only reply whose plan is valid; `calls` are the calls of its tasks.
 * `given` is the number of plans that a person gave in place of a model.
 */
export function planningLaws(
  sound: object,
  calls: readonly object[],
  given: 0 | 1 = 0,
): LawfulScenario['law'] {
  return {
    'a plan has at most three drafts, a given plan none, and a draft five attempts': (played) => {
      const log = sinceResume(played.log);
      const drafts = requestsOf(log, 'callModel').length - pausesIn(log);
      const attempts = longestRow(repliesIn(log), isPassing);
      return unless(
        drafts <= maxDrafts * (1 - given) && attempts <= maxAttempts,
        `${drafts} drafts, ${attempts} attempts`,
      );
    },
    'only a valid plan is checked, with exactly its calls': ({log}) => {
      const checks = settlementsOf(log, 'checkCalls');
      const strange = checks.filter(
        ({request}) => canonicalJson(request.calls) !== canonicalJson(calls),
      );
      const isValid = checks.length <= countOf(repliesIn(log), sound) + given;
      return unless(isValid && strange.length === 0, 'other calls are checked');
    },
    'a plan is ready exactly when its check found no problem': (played) => {
      const last = played.log.findLast(({type}) => type === 'settled');
      const isSound =
        last?.type === 'settled' && last.port === 'checkCalls' && isClean(last.outcome);
      const kind = valueIn(outputOf(played), 'kind');
      return unless(
        kind === undefined || (kind === 'ready') === isSound,
        `the output is ${String(kind)}`,
      );
    },
  };
}

function repliesIn(record: History): object[] {
  return settlementsOf(record, 'callModel').map(({outcome}) => outcome);
}

function isClean(check: object): boolean {
  return 'problems' in check && listIn(check, 'problems').length === 0;
}

function pausesIn(record: History): number {
  return record.filter((each) => each.type === 'fired' && each.timer.includes('retryDelay')).length;
}

function countOf(replies: readonly object[], wanted: object): number {
  return replies.filter((reply) => canonicalJson(reply) === canonicalJson(wanted)).length;
}

function isOver(played: Played): boolean {
  return played.status() === 'done';
}

/** Laws by the rule that each states. */
export function evaluationLaws(plan: Plan, results: readonly TaskResult[]): LawfulScenario['law'] {
  const isCalled = results.some(({evidence}) => evidence.some(({ok}) => ok));
  const allDone =
    isCalled &&
    plan.tasks.every(({id}) =>
      results.some((result) => result.id === id && result.status === 'succeeded'),
    );
  return {
    'a judge is asked once, and once more to repair the verdict': (played) => {
      const log = sinceResume(played.log);
      const questions = requestsOf(log, 'callModel').length - pausesIn(log);
      return unless(questions <= 2, `${questions} questions`);
    },
    'a success needs praise without problems, success of every task, a successful call, and all files':
      (played) => {
        const record = played.log;
        const missing = listIn(settlementsOf(record, 'checkFiles').at(-1)?.outcome, 'missing');
        const verdict = valueIn(lastVerdict(record), 'args');
        const isPraise =
          valueIn(verdict, 'successful') === true && listIn(verdict, 'problems').length === 0;
        const isSuccess = valueIn(outputOf(played), 'evaluation', 'successful') === true;
        const vote = settlementsOf(record, 'screenProposal').at(-1)?.outcome;
        const isContradicted = valueIn(vote, 'ballots', '0', 'verdict') === 'reject';
        const isTrue =
          isSuccess === (isPraise && allDone && missing.length === 0 && !isContradicted);
        return unless(!isOver(played) || isTrue, `success is reported as ${String(isSuccess)}`);
      },
    'a result is judged only with a verdict, and cancelled only for its reason': (played) => {
      const verdict = valueIn(lastVerdict(played.log), 'args');
      const output = outputOf(played);
      const isJudged = valueIn(output, 'kind') === 'judged';
      const reason = valueIn(output, 'evaluation', 'cancelReason');
      const isTrue =
        isJudged === (verdict !== undefined) && reason === valueIn(verdict, 'cancel_reason');
      return unless(!isOver(played) || isTrue, JSON.stringify(output));
    },
  };
}

/** The valid call in the model's last reply. */
function lastVerdict(record: History): unknown {
  const last = settlementsOf(record, 'callModel').at(-1)?.outcome;
  const [call] = listIn(last, 'calls');
  return typeof valueIn(call, 'args', 'successful') === 'boolean' ? call : undefined;
}

/** Gathering changes nothing, previews nothing and holds no vote. Only a crash makes it fail. */
export function gatheringFaults(played: Played): string[] {
  const record = played.log;
  const ports = new Set(record.flatMap((each) => (each.type === 'requested' ? [each.port] : [])));
  const strange = [...ports].filter(
    (port) => !['surveyWorkspace', 'callModel', 'runTool', 'awaitResume'].includes(port),
  );
  const runs = requestsOf(record, 'runTool').filter(({request}) => request.tool !== 'read_file');
  return [
    ...unless(strange.length === 0, `${strange.join(', ')} is requested`),
    ...unless(runs.length === 0, 'a tool that changes something runs'),
    ...workFaults(record, 'subject/turns', 2),
    ...(played.status() === 'done' ? gatheringEndFaults(played) : []),
  ];
}

function gatheringEndFaults(played: Played): string[] {
  const record = played.log;
  const survey = settlementsOf(record, 'surveyWorkspace').at(-1)?.outcome;
  const replies = settlementsOf(record, 'callModel').map(({outcome}) => outcome);
  const isCrash = survey === undefined || valueIn(survey, 'crash') !== undefined;
  const read = callsOf(replies, 'subject/turns').filter(({path}) => isCallDone(record, path));
  const output = outputOf(played);
  const evidence = listIn(output, 'evidence').filter(
    (entry) => valueIn(entry, 'ok') === true,
  ).length;
  const isFailed = valueIn(output, 'failure') !== undefined;
  return [
    ...unless(isFailed === isCrash, 'it fails without a crash, or hides a crash'),
    ...unless(isFailed || evidence === read.length + 1, 'the evidence differs from the reads'),
  ];
}

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
