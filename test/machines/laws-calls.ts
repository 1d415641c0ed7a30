/** Laws of calls and of their review: which may run, when a person is asked, and what is reported. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {HilMode, Settings} from '../../machines/domain/settings.ts';
import {callHash, type ToolInfo} from '../../machines/domain/tool.ts';
import {roundsIn} from '../../machines/facts/fact.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {ToolCall} from '../../machines/prompts/transcript.ts';
import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import {validated} from './events/outcomes.ts';
import type {Law} from './explored.ts';
import {falseVotes, isApprovedInTurn, isCallApproved} from './laws-approval.ts';
import {verdictIn} from './laws-panel.ts';
import {
  listIn,
  settlementsOf,
  unless,
  valueIn,
  outputOf,
  reportsOf,
  requestsOf,
  under,
} from './laws-record.ts';

/** As JSON holds them. */
function isSame(value: unknown, other: unknown): boolean {
  return canonicalJson(value) === canonicalJson(other);
}

function isReport(report: unknown, type: string): boolean {
  return typeof report === 'object' && report !== null && 'type' in report && report.type === type;
}

/** Laws 1, 5 and 10. A protected path is approved by a person. */
export function toolCallLaws(tool: ToolInfo, hilMode: HilMode): Readonly<Record<string, Law>> {
  return {
    'a call runs or spawns only after it was approved with exactly these arguments': (played) => {
      const isLoud = played.reports.some((report) => isReport(report, 'warning'));
      return unapprovedRuns(played.log, tool, hilMode === 'auto_approve' && isLoud);
    },
    'a call that must not be repeated runs once, and again only if a person retries it': ({
      log,
    }) => {
      const runs = log.filter(isRun).length;
      const retries = wordsOf(log).filter((word) => word === 'retry').length;
      const isHeld = tool.repeatability !== 'once' || runs <= 1 + retries;
      return unless(isHeld, `${runs} runs, ${retries} retries by persons`);
    },
    'the result says truthfully whether the call was done': (played) => {
      if (played.status() !== 'done') return [];
      const isReportedDone = valueIn(played.output(), 'result', 'status') === 'succeeded';
      return unless(
        isReportedDone === isTrulyDone(played.log),
        `the result is ${JSON.stringify(played.output())}`,
      );
    },
  };
}

/** The runs of the tool and the interactions that it spawned without an approval of exactly this call. */
function unapprovedRuns(log: readonly Logged[], tool: ToolInfo, isByMode: boolean): string[] {
  return log.flatMap((logged, at) => {
    const before = log.slice(0, at);
    const isReportedAsCalled =
      logged.type === 'reported' && isReport(logged.report, 'tool.called') && tool.spawns;
    if (isReportedAsCalled)
      return unless(isAllowed(before, tool, isByMode), 'it spawns without approval');
    if (!isRun(logged) || tool.risk !== 'high') return [];
    return [
      ...unless(isAsApproved(logged, tool), `it asks for ${JSON.stringify(logged)}`),
      ...unless(isAllowed(before, tool, isByMode), 'it runs without approval'),
    ];
  });
}

/** True when the entry requests a run of the tool. */
function isRun(logged: Logged): boolean {
  return logged.type === 'requested' && logged.port === 'runTool';
}

/** The decisions of persons, in order; undefined for an outcome without a decision. */
function wordsOf(log: readonly Logged[]): unknown[] {
  return settlementsOf(log, 'askHuman').map(({outcome}) =>
    'decision' in outcome ? outcome.decision : undefined,
  );
}

/** True when the request has the validated arguments, and its approval is their hash. */
function isAsApproved(logged: Logged, tool: ToolInfo): boolean {
  const request = logged.type === 'requested' ? logged.request : undefined;
  return (
    valueIn(request, 'tool') === tool.name &&
    valueIn(request, 'approval') === callHash(tool.name, validated) &&
    isSame(valueIn(request, 'args'), validated)
  );
}

function isAllowed(before: readonly Logged[], tool: ToolInfo, isByMode: boolean): boolean {
  const preview = settlementsOf(before, 'previewTool').at(-1)?.outcome ?? {};
  const shown = 'preview' in preview ? String(preview.preview) : '';
  const basedOn = 'basedOn' in preview ? String(preview.basedOn) : '';
  const hash = actionHash(tool.name, {args: validated, preview: shown, basedOn});
  const byPanel = settlementsOf(before, 'screenProposal').some(
    (vote) => covers(vote.request, 'proposal', hash) && isVoteFor(vote.outcome),
  );
  const byPerson = settlementsOf(before, 'askHuman').some(
    ({request: question, outcome}) =>
      covers({question}, 'question', hash) &&
      'decision' in outcome &&
      outcome.decision === 'approve',
  );
  const isProtected = 'protectedReason' in preview;
  return isProtected ? byPerson : byPanel || byPerson || isByMode;
}

function covers(request: unknown, part: string, hash: string): boolean {
  const found: unknown = JSON.parse(JSON.stringify(request))[part];
  if (typeof found !== 'object' || found === null) return false;
  return ['hash', 'proposalHash'].some((key) => new Map(Object.entries(found)).get(key) === hash);
}

function isVoteFor(outcome: object): boolean {
  const ballots = listIn(outcome, 'ballots');
  return ballots.length > 0 && ballots.every((ballot) => verdictIn(ballot) === 'approve');
}

function isDoubt(question: unknown): boolean {
  return (
    typeof question === 'object' &&
    question !== null &&
    'kind' in question &&
    question.kind === 'in-doubt'
  );
}

/** True when the last outcome says that the call was done: of its tool, of its interaction, or of a person in doubt. */
function isTrulyDone(log: readonly Logged[]): boolean {
  const last = log.findLast(({type}) => ['settled', 'fired', 'sent'].includes(type));
  if (last?.type === 'sent') return valueIn(last.event, 'result', 'status') === 'completed';
  if (last?.type !== 'settled') return false;
  const {outcome} = last;
  return (
    ('kind' in outcome && outcome.kind === 'succeeded') ||
    ('decision' in outcome && outcome.decision === 'done' && isDoubt(last.request))
  );
}

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
