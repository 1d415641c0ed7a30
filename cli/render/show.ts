/** One run in full: what was asked, planned, voted and done, and how it can go on. */

import type {Entry, SessionRow} from '../../actors/journal/journal.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import {ballotsOf, latestPlan, openingOf, resultOf, type BallotSeen} from '../history.ts';
import {agoText, countText} from './numbers.ts';
import {taskLines} from './plan.ts';
import {resultLines, section} from './result.ts';
import type {Style} from './style.ts';
import {escapedLines, oneLine} from './text.ts';

const marks = {approve: '●', reject: '○', abstain: '!'} as const;
const maxLine = 500;

export function showLines(
  row: SessionRow,
  entries: readonly Entry[],
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
      ? resultLines(result, {style, allReasons: true})
      : openLines(row, ballotsOf(entries), {style, now})),
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
  {id, updatedAt}: SessionRow,
  ballots: readonly BallotSeen[],
  {style, now}: {readonly style: Style; readonly now: number},
): string[] {
  return [
    `${style.yellow('open')}: the last entry is from ${agoText(now - updatedAt)}`,
    ...section('Ballots so far', ballotLines(ballots), style),
    '',
    `Continue with: quorate resume ${oneLine(id)}`,
    `End it with: quorate cancel ${oneLine(id)}`,
  ];
}

function ballotLines(ballots: readonly BallotSeen[]): string[] {
  return ballots.flatMap(({vote, seat, verdict, reasons}, index) => {
    const line = `  ${marks[verdict]} ${oneLine(`${seat}: ${reasons.join('; ')}`, maxLine)}`;
    return ballots[index - 1]?.vote === vote ? [line] : [oneLine(vote, maxLine), line];
  });
}
