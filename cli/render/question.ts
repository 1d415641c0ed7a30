/** A decision asked of a person, in full: the plan, action or result, the votes on it, and the possible answers. */

import type {HumanDecision, HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {diffRows} from './diff.ts';
import {countText} from './numbers.ts';
import {wholeTaskLines} from './plan.ts';
import {roundLines} from './round.ts';
import {plainStyle, type Style} from './style.ts';
import {escapedLines, oneLine, proseRows} from './text.ts';

const previewTitles: Readonly<Record<HumanQuestionKind, string>> = {
  plan: 'Changes',
  confirmation: 'Changes',
  action: 'Action',
  protected: 'Action',
  result: 'Result',
  debate: 'Position, and what is open against it',
  'in-doubt': 'What may have happened',
};

type Meanings = Readonly<Partial<Record<HumanDecision['decision'], string>>>;

const planMeanings: Meanings = {
  approve: 'Execute this plan as-is',
  always: 'The same, and its command from now on, in this folder, without a question',
  reject: 'Abort the agent; a reason may follow',
  edit: 'Edit plan manually',
};
const actionMeanings: Meanings = {
  approve: 'Run exactly this action',
  always: 'Run it now, and from now on, in this folder, without a question',
  reject: 'Do not run it; a reason may follow',
};

const meanings: Readonly<Record<HumanQuestionKind, Meanings>> = {
  plan: planMeanings,
  confirmation: planMeanings,
  action: actionMeanings,
  protected: actionMeanings,
  result: {approve: 'Accept the result', reject: 'Fail the run; a reason may follow'},
  debate: {
    approve: 'Let the position stand none the less',
    reject: 'It does not stand; a reason may follow',
  },
  'in-doubt': {
    retry: 'It did not happen: run it again',
    done: 'It happened: go on',
    fail: 'Count it as failed',
    approve: 'Go on',
    reject: 'Count it as failed',
  },
};

export function meaningOf({kind}: HumanQuestion, decision: HumanDecision['decision']): string {
  return meanings[kind][decision] ?? decision;
}

export interface QuestionView {
  readonly style: Style;
  readonly width: number;
  /**
   * Maximum rows of the plan's tasks, and of other parts of the subject; the rest is counted, and the plan's reasoning is left
   * out. Absent: all.
   */
  readonly maxRows?: number;
}

/** The request, all that the decision covers, and the panel's votes on it. */
export function questionLines(question: HumanQuestion, view: QuestionView): string[] {
  return [
    'Request:',
    ...proseRows(question.request, view.width, '  '),
    ...planLines(question, view),
    ...previewLines(question, view),
    ...historyLines(question, view),
  ];
}

function historyLines({history, kind}: HumanQuestion, {style, width}: QuestionView): string[] {
  if (history.length === 0) return [];
  const word = kind === 'plan' || kind === 'confirmation' ? 'Rev' : 'Round';
  const said = history.map((round) => {
    // Several votes on actions are about several actions.
    const isNamed = round.kind === 'action' && history.length > 1;
    const label = isNamed ? oneLine(round.title) : `${word} ${round.round}`;
    return {label, isNamed, view: {width: width - 2, whole: true, label}, round};
  });
  const groups = Map.groupBy(said, ({isNamed, view, round}) =>
    isNamed ? roundLines(round, plainStyle, view).join('\n') : round,
  );
  const rounds = [...groups.values()].flatMap((own) =>
    own.slice(0, 1).flatMap(({label, view, round}) => {
      const times = own.length === 1 ? '' : ` (${own.length} times)`;
      return roundLines(round, style, {...view, label: `${label}${times}`});
    }),
  );
  return ['', 'Review History:', ...indented(rounds)];
}

function planLines({plan}: HumanQuestion, {style, width, maxRows}: QuestionView): string[] {
  if (!plan) return [];
  const tasks = wholeTaskLines(plan, width - 2);
  return [
    '',
    'Plan Objective:',
    ...proseRows(plan.objective, width, '  '),
    '',
    'Tasks:',
    ...indented(fitting(tasks, tasks.length, maxRows, style)),
    ...(maxRows === undefined ? ['', 'Reasoning:', ...proseRows(plan.reasoning, width, '  ')] : []),
  ];
}

function previewLines(
  {kind, preview}: HumanQuestion,
  {style, width, maxRows}: QuestionView,
): string[] {
  if (preview === undefined || preview === '') return [];
  const all = escapedLines(preview);
  const most = maxRows === undefined ? undefined : maxRows + 1;
  const rows = all.slice(0, most).flatMap((line) => diffRows(line, style, width - 2, most));
  return ['', `${previewTitles[kind]}:`, ...indented(fitting(rows, all.length, maxRows, style))];
}

function fitting(
  rows: readonly string[],
  lines: number,
  maxRows: number | undefined,
  style: Style,
): readonly string[] {
  if (maxRows === undefined || rows.length <= maxRows) return rows;
  const cut = style.yellow(oneLine(`cut: /show shows all ${countText(lines, 'line')}`));
  return [...rows.slice(0, maxRows), cut];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
