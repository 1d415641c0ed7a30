/** One run in full: its request, plan, votes and actions, and how to continue it. */

import type {Entry, InteractionRow} from '../../../actors/journal/journal.ts';
import {resultIn} from '../../../actors/run/run-result.ts';
import type {OpenGate} from '../../../actors/runtime-api.ts';
import type {Peeked} from '../../../actors/sessions/peek.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {Decision, Placed, RunResult} from '../../../machines/domain/result.ts';
import {type ModelVote, verdictMarks} from '../../../machines/domain/review.ts';
import {decisionsIn, withRefusals} from '../../../machines/facts/folds.ts';
import type {OpenAsk} from '../../../machines/questionnaire/answers.ts';
import {changesIn, ensembleIn, costSoFar, latestPlan, suspensionsIn} from '../../past/history.ts';
import {recordedTree} from '../../past/recorded-tree.ts';
import type {InteractionState} from '../../past/run-status.ts';
import {settingsChangedIn} from '../../past/settings-changed.ts';
import {wholeChange} from '../live/calls.ts';
import {ensembleLines} from '../live/ensemble.ts';
import {answersLines} from '../live/interview.ts';
import {agoText, costText, countText, timeText} from '../numbers.ts';
import {wholeTaskLines} from '../plan.ts';
import {questionLines} from '../question.ts';
import {decisionLines, othersTitle} from '../result/decisions.ts';
import {footerLines, isDocument, recordLines, resultLines, section} from '../result/result.ts';
import {voteLines} from '../result/votes.ts';
import {answerLines, whatIsLeft} from '../result/waiting.ts';
import {reasonText} from '../round.ts';
import type {Style} from '../style.ts';
import {escapedLines, oneLine, proseRows} from '../text.ts';
import {rootOf} from '../view/interactions.ts';
import {placeInRun} from '../view/place.ts';
import {openRounds} from '../view/rounds.ts';
import type {RunView} from '../view/run-view.ts';
import {wholeTreeLines} from './tree.ts';

const maxLine = 500;
const otherVersion = "It can't be resumed: another version of Quorate recorded it.";

export interface Shown {
  readonly row: InteractionRow;
  readonly state: InteractionState;
  readonly entries: readonly Entry[];
  /** Absent when it has ended, or was recorded by other charts. */
  readonly standing: Peeked | undefined;
}

export interface ShowView {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
  /** Epoch ms. */
  readonly now: number;
}

export function showLines(shown: Shown, view: ShowView): string[] {
  const {row, entries, standing} = shown;
  const {style, width, now} = view;
  const result = resultIn(entries);
  const tree = recordedTree(row, entries, standing);
  const plan = standing ? currentPlan(standing, tree) : (result?.plan ?? latestPlan(entries));
  return [
    `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · opened ${agoText(now - row.openedAt)} · ${countText(row.entries, 'entry', 'entries')}`,
    style.dim(oneLine(row.workspace, maxLine)),
    ...section('Request', escapedLines(row.request), style),
    ...section(
      'Settings changed since',
      settingsChangedIn(entries).map((pair) => oneLine(pair, maxLine)),
      style,
    ),
    ...section('Suspended and resumed', suspendedLines(entries, width), style),
    ...section('Interactions', wholeTreeLines(tree, {style, width: width - 2}), style),
    ...section('Drafts', draftLines(entries, view), style),
    ...(plan ? planLines(plan, view) : []),
    ...section(
      'Written',
      changesIn(entries).flatMap((change) => wholeChange(change, {style, width: width - 2})),
      style,
    ),
    '',
    ...(result
      ? [...resultLines(result, {...view, isWhole: true}), ...askEnd(result, view)]
      : openLines(shown, tree, view)),
  ];
}

const reasonsToLeave: Readonly<Record<string, string>> = {
  waiting: 'it waited for a person',
  interrupted: 'interrupted',
};

/** `2026-11-22 14:03 · interrupted` */
function suspendedLines(entries: readonly Entry[], width: number): string[] {
  return suspensionsIn(entries).flatMap(({at, why, outage}) =>
    proseRows(`${timeText(at)} · ${outage ?? reasonsToLeave[why] ?? why}`, width - 2),
  );
}

/** The root's current plan; none while a person is asked about one, as the question shows it. */
function currentPlan({gates}: Peeked, tree: RunView): Plan | undefined {
  return gates.some(({question}) => question.plan) ? undefined : rootOf(tree).plan;
}

/** Details beyond the answer. */
function askEnd(result: RunResult, {style, width}: ShowView): string[] {
  if (!isDocument(result)) return [];
  const steps = (result.steps ?? []).map(({thought, action, input, observation}) =>
    oneLine(
      `${thought === '' ? '' : `${thought} `}${action} ${JSON.stringify(input)} → ${observation}`,
      maxLine,
    ),
  );
  return [
    ...section('Steps', steps, style),
    ...section(othersTitle, decisionLines(result, {width}), style),
    ...recordLines(result, {style, width, isWhole: true}),
    '',
    `${result.status}${result.stoppedReason === undefined ? '' : ` (${result.stoppedReason})`}`,
    ...footerLines(result, {style, width}),
  ];
}

function draftLines(entries: readonly Entry[], {style, width}: ShowView): string[] {
  const ensemble = ensembleIn(entries);
  return ensemble ? ensembleLines(ensemble, style, width) : [];
}

function planLines(plan: Plan, {style, width}: ShowView): string[] {
  const {objective} = plan;
  return section('Plan', [...proseRows(objective, width), ...wholeTaskLines(plan, width)], style);
}

function openLines(
  {row, state, entries, standing}: Shown,
  tree: RunView,
  view: ShowView,
): string[] {
  const {style, now} = view;
  const costUsd = costSoFar(entries);
  const {gates = [], asks = []} = standing ?? {};
  return [
    `${style.yellow(state)}: the last entry is from ${agoText(now - row.updatedAt)}`,
    ...(costUsd === undefined ? [] : [`cost so far: ${costText(costUsd)}`]),
    ...(standing ? openQuestionLines(standing, tree, view) : []),
    ...gates.flatMap((gate) => gateLines(row, gate, {...view, isOneOfSeveral: gates.length > 1})),
    ...asks.flatMap((ask) => askLines(ask, view)),
    ...(gates.length > 0 ? [] : goOnLines(row.id, state)),
  ];
}

function goOnLines(id: string, state: InteractionState): string[] {
  const name = oneLine(id);
  if (state === 'outdated') return ['', `${otherVersion} ${whatIsLeft(id)}`];
  if (state === 'damaged') return ['', whatIsLeft(id)];
  return ['', `Continue with: quorate resume ${name}`, `End it with: quorate cancel ${name}`];
}

/** `interview (1.2) asks:`, and the message. */
function askLines({message, interaction}: OpenAsk, {style, width}: ShowView): string[] {
  const place = placeInRun(interaction);
  const who = place === '' ? 'the interview' : `the interview ${oneLine(place, 40)}`;
  return [
    '',
    style.yellow(`waiting for a reply: ${who} asks`),
    ...proseRows(message, width - 2, '  '),
  ];
}

/** The votes are shown above. */
function gateLines(
  {id, workspace}: InteractionRow,
  {question, interaction}: OpenGate,
  {isOneOfSeveral, ...view}: ShowView & {readonly isOneOfSeveral: boolean},
): string[] {
  const alone = {...question, history: []};
  return [
    '',
    view.style.yellow(`waiting for a person: ${question.kind}`),
    ...proseRows(question.reason, view.width),
    '',
    ...questionLines(alone, view),
    '',
    ...answerLines(id, {question, workspace, interaction}, {isOneOfSeveral, width: view.width}),
  ];
}

function openQuestionLines(
  {reports, underWay, interview}: Peeked,
  tree: RunView,
  {style, width}: ShowView,
): string[] {
  const {phase} = rootOf(tree);
  const rounds = tree.rounds.flatMap(({decided, interaction}) =>
    decided ? [{...decided, interaction}] : [],
  );
  const votes = openRounds(tree).flatMap((round) => round.votes);
  return [
    ...(phase === '' ? [] : [`phase: ${phase}`]),
    ...section(
      'Answers',
      interview ? answersLines(interview.answers, {style, width: width - 2}) : [],
      style,
    ),
    ...section('Votes', voteLines(rounds, {style, width, all: true, whole: true}), style),
    ...section(
      othersTitle,
      decisionLines({decisions: decisionsAmong(reports), reviews: rounds}, {width}),
      style,
    ),
    ...section(
      'Ballots of the open round',
      votes.flatMap((vote) => ballotLines(vote, width)),
      style,
    ),
    ...section('Under way, when it is resumed', inFlightLines(underWay, width), style),
  ];
}

function inFlightLines(underWay: readonly string[], width: number): string[] {
  return underWay.flatMap((what) => proseRows(what, width - 2));
}

function ballotLines(vote: ModelVote, width: number): string[] {
  return proseRows(`${verdictMarks[vote.verdict]} ${reasonText(vote)}`, width - 2);
}

function decisionsAmong(reports: Peeked['reports']): Placed<Decision>[] {
  return withRefusals(reports).flatMap((report) =>
    decisionsIn([report]).map((decision) =>
      Object.assign(decision, {interaction: report.interaction}),
    ),
  );
}
