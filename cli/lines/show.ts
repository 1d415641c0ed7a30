/** One run in full: what was asked, planned, voted and done, and how it can go on. */

import type {Entry, InteractionRow} from '../../actors/journal/journal.ts';
import type {Peeked} from '../../actors/peek.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {type ModelVote, verdictMarks} from '../../machines/domain/review.ts';
import {latestPlan, openingOf, resultOf} from '../history.ts';
import type {InteractionState} from '../standing.ts';
import {agoText, countText} from './numbers.ts';
import {taskLines} from './plan.ts';
import {footerLine, resultLines, section, voteLines} from './result.ts';
import {reasonText} from './round.ts';
import type {Style} from './style.ts';
import {escapedLines, oneLine} from './text.ts';
import {gateLines} from './waiting.ts';

const maxLine = 500;

export interface Shown {
  readonly row: InteractionRow;
  readonly state: InteractionState;
  readonly entries: readonly Entry[];
  /** Absent when it has ended, or when other charts than ours wrote it. */
  readonly standing: Peeked | undefined;
}

export function showLines(
  {row, state, entries, standing}: Shown,
  {style, now}: {readonly style: Style; readonly now: number},
): string[] {
  const {tools} = openingOf(entries);
  const result = resultOf(entries);
  const plan = result?.plan ?? latestPlan(entries, tools);
  return [
    `${style.bold(oneLine(row.id))} ${oneLine(row.form)} · opened ${agoText(now - row.openedAt)} · ${countText(row.entries, 'entry', 'entries')}`,
    style.dim(oneLine(row.workspace, maxLine)),
    ...section('Request', escapedLines(row.request), style),
    ...(plan ? planLines(plan, style) : []),
    '',
    ...(result
      ? [...resultLines(result, {style, allReasons: true}), ...askEnd(result, style)]
      : openLines({row, state, standing}, {style, now})),
  ];
}

/** What an answer alone does not tell. */
function askEnd(result: RunResult, style: Style): string[] {
  if (result.form !== 'ask') return [];
  const steps = (result.steps ?? []).map(({thought, action, input, observation}) =>
    oneLine(
      `${thought === '' ? '' : `${thought} `}${action} ${JSON.stringify(input)} → ${observation}`,
      maxLine,
    ),
  );
  return [
    ...section('Steps', steps, style),
    '',
    `${result.status}${result.stoppedReason === undefined ? '' : ` (${result.stoppedReason})`}`,
    footerLine(result, style),
  ];
}

function planLines(plan: Plan, style: Style): string[] {
  return section(
    'Plan',
    [oneLine(plan.objective, maxLine), ...taskLines(plan, style, maxLine)],
    style,
  );
}

function openLines(
  {row: {id, updatedAt}, state, standing}: Omit<Shown, 'entries'>,
  {style, now}: {readonly style: Style; readonly now: number},
): string[] {
  return [
    `${style.yellow(state)}: the last entry is from ${agoText(now - updatedAt)}`,
    ...(standing ? standingLines(standing, style) : []),
    '',
    ...(standing ? gateLines(id, standing.gates) : []),
    `Continue with: quorate resume ${oneLine(id)}`,
    `End it with: quorate cancel ${oneLine(id)}`,
  ];
}

function standingLines({reports, pending}: Peeked, style: Style): string[] {
  const phase = reports.findLast((report) => report.type === 'phase.changed')?.phase;
  const rounds = reports.flatMap((report) => (report.type === 'quorum.decided' ? [report] : []));
  const decided = reports.findLastIndex(({type}) => type === 'quorum.decided');
  const votes = reports
    .slice(decided + 1)
    .flatMap((report) => (report.type === 'ballot.cast' ? [report.vote] : []));
  return [
    ...(phase === undefined ? [] : [`phase: ${phase}`]),
    ...section('Votes', voteLines(rounds, style, true), style),
    ...section(
      'Ballots of the open round',
      votes.map((vote) => ballotLine(vote)),
      style,
    ),
    ...section(
      'Under way',
      pending.map((key) => oneLine(key, maxLine)),
      style,
    ),
  ];
}

function ballotLine(vote: ModelVote): string {
  return `${verdictMarks[vote.verdict]} ${oneLine(reasonText(vote), maxLine)}`;
}
