/** The screen on which a person is asked: what is decided, what was voted, which commands there are. */

import type {HumanDecision, HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {countText} from '../lines/numbers.ts';
import {taskLines} from '../lines/plan.ts';
import {roundLines} from '../lines/round.ts';
import {plainStyle, type Paint, type Style} from '../lines/style.ts';
import {escapedLines, oneLine, wrap} from '../lines/text.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

const rule = '═'.repeat(63);

const titles: Readonly<Record<HumanQuestionKind, string>> = {
  plan: 'Plan Requires Human Intervention',
  confirmation: 'Plan Waits for Confirmation',
  action: 'Action Requires Human Intervention',
  protected: 'Protected Path Requires Human Intervention',
  result: 'Result Requires Human Intervention',
  'in-doubt': 'Outcome in Doubt Requires Human Intervention',
};

const previewTitles: Readonly<Record<HumanQuestionKind, string>> = {
  plan: 'Details',
  confirmation: 'Details',
  action: 'Action',
  protected: 'Action',
  result: 'Result',
  'in-doubt': 'What may have happened',
};

type Meanings = Readonly<Partial<Record<HumanDecision['decision'], string>>>;

const planMeanings: Meanings = {
  approve: 'Execute this plan as-is',
  reject: 'Abort the agent',
  edit: 'Edit plan manually',
};
const actionMeanings: Meanings = {
  approve: 'Run exactly this action',
  reject: 'Do not run it; a reason may follow',
};

const meanings: Readonly<Record<HumanQuestionKind, Meanings>> = {
  plan: planMeanings,
  confirmation: planMeanings,
  action: actionMeanings,
  protected: actionMeanings,
  result: {approve: 'Accept the result', reject: 'Fail the run; a reason may follow'},
  'in-doubt': {
    retry: 'It did not happen: run it again',
    done: 'It happened: go on',
    fail: 'Count it as failed',
    approve: 'Go on',
    reject: 'Count it as failed',
  },
};

/** The whole screen but the prompt. */
export function screenLines(question: HumanQuestion, style: Style, size: ScreenSize): string[] {
  const {width} = size;
  return [
    style.yellow(rule),
    `  ⚠️  ${style.bold(titles[question.kind])}`,
    style.yellow(rule),
    '',
    ...rows(question.reason, width, 5),
    '',
    'Request:',
    ...indented(rows(question.request, width - 2, 12)),
    ...planLines(question, style, width),
    ...previewLines(question, style, size),
    ...historyLines(question, style, width),
    '',
    'Commands:',
    ...commandLines(question),
    '',
    style.dim(`Deciding on sha256 ${oneLine(question.proposalHash, 12)}`),
    '',
  ];
}

export function commandLines({kind, allowed, plan, preview}: HumanQuestion): string[] {
  const decisions = allowed.map((decision): [string, string] => [
    decision,
    meanings[kind][decision] ?? decision,
  ]);
  const extras: [string, string][] = [
    ...(plan || preview !== undefined ? [['show', 'Show all of it'] as [string, string]] : []),
    ['help', 'Show these commands'],
    ['quit', 'Decide later: the run is suspended'],
  ];
  return [...decisions, ...extras].map(([name, text]) => `  ${`/${name}`.padEnd(9)} - ${text}`);
}

/** The rows of one line of a diff, all in the line's colour. */
export function diffRows(line: string, style: Style, width: number, maxRows?: number): string[] {
  return wrap(line, width, maxRows).map(paintOf(line, style));
}

function paintOf(line: string, style: Style): Paint {
  if (line.startsWith('@@')) return style.cyan;
  if (line.startsWith('+')) return style.green;
  return line.startsWith('-') ? style.red : plainStyle.red;
}

function planLines({plan}: HumanQuestion, style: Style, width: number): string[] {
  if (!plan) return [];
  return [
    '',
    'Plan Objective:',
    ...indented(rows(plan.objective, width - 2, 8)),
    '',
    'Tasks:',
    ...indented(taskLines(plan, style, width - 2)),
  ];
}

/** The beginning of the preview; what does not fit is counted. */
function previewLines(
  {kind, preview}: HumanQuestion,
  style: Style,
  {width, height}: ScreenSize,
): string[] {
  if (preview === undefined || preview === '') return [];
  const all = escapedLines(preview);
  const room = Math.max(8, Math.floor(height / 2));
  const fitting = all
    .slice(0, room + 1)
    .flatMap((line) => diffRows(line, style, width - 2, room + 1));
  const isCut = fitting.length > room;
  return [
    '',
    `${previewTitles[kind]}:`,
    ...indented(fitting.slice(0, room)),
    ...(isCut ? [style.yellow(`  … cut: /show shows all ${countText(all.length, 'line')}`)] : []),
  ];
}

function historyLines({history, kind}: HumanQuestion, style: Style, width: number): string[] {
  if (history.length === 0) return [];
  const label = kind === 'plan' || kind === 'confirmation' ? 'Rev' : 'Round';
  return [
    '',
    'Review History:',
    ...indented(
      history.flatMap((round) =>
        roundLines(round, style, {width: width - 2, label: `${label} ${round.round}`}),
      ),
    ),
  ];
}

function rows(text: string, width: number, max: number): string[] {
  const all = escapedLines(text).flatMap((line) => wrap(line, width, max + 1));
  return all.length > max ? [...all.slice(0, max), '…'] : all;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
