/** A decision asked of a person, in full: the plan, action or result, the votes on it, and the possible answers. */

import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {gateTexts} from '../gate/texts.ts';
import type {Reader} from '../language.ts';
import {diffRows} from './diff.ts';
import {wholeTaskLines} from './plan.ts';
import {roundLines} from './round.ts';
import {plainStyle, type Style} from './style.ts';
import {escapedLines, oneLine, proseRows} from './text.ts';

export function meaningOf(
  {kind}: HumanQuestion,
  decision: HumanDecision['decision'],
  reader: Reader,
): string {
  return gateTexts(reader).meanings[kind][decision] ?? decision;
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
    gateTexts(view.style).request,
    ...proseRows(question.request, view.width, '  '),
    ...planLines(question, view),
    ...previewLines(question, view),
    ...historyLines(question, view),
  ];
}

function historyLines({history, kind}: HumanQuestion, {style, width}: QuestionView): string[] {
  if (history.length === 0) return [];
  const texts = gateTexts(style);
  const labelOf = kind === 'plan' || kind === 'confirmation' ? texts.revision : texts.round;
  const said = history.map((round) => {
    // Several votes on actions are about several actions.
    const isNamed = round.kind === 'action' && history.length > 1;
    const label = isNamed ? oneLine(round.title) : labelOf(round.round);
    return {
      label,
      isNamed,
      view: {width: width - 2, whole: true, label, language: style.language},
      round,
    };
  });
  const groups = Map.groupBy(said, ({isNamed, view, round}) =>
    isNamed ? roundLines(round, plainStyle, view).join('\n') : round,
  );
  const rounds = [...groups.values()].flatMap((own) =>
    own.slice(0, 1).flatMap(({label, view, round}) => {
      const times = own.length === 1 ? '' : texts.times(own.length);
      return roundLines(round, style, {...view, label: `${label}${times}`});
    }),
  );
  return ['', texts.history, ...indented(rounds)];
}

function planLines({plan}: HumanQuestion, {style, width, maxRows}: QuestionView): string[] {
  if (!plan) return [];
  const texts = gateTexts(style);
  const tasks = wholeTaskLines(plan, width - 2, style);
  return [
    '',
    texts.objective,
    ...proseRows(plan.objective, width, '  '),
    '',
    texts.tasks,
    ...indented(fitting(tasks, tasks.length, maxRows, style)),
    ...(maxRows === undefined
      ? ['', texts.reasoning, ...proseRows(plan.reasoning, width, '  ')]
      : []),
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
  return [
    '',
    `${gateTexts(style).previews[kind]}:`,
    ...indented(fitting(rows, all.length, maxRows, style)),
  ];
}

function fitting(
  rows: readonly string[],
  lines: number,
  maxRows: number | undefined,
  style: Style,
): readonly string[] {
  if (maxRows === undefined || rows.length <= maxRows) return rows;
  const cut = style.yellow(oneLine(gateTexts(style).cut(lines)));
  return [...rows.slice(0, maxRows), cut];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
