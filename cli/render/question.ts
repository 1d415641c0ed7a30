/** A decision asked of a person, in full: the plan, action or result, the votes on it, and the possible answers. */

import type {HumanDecision, HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {type Message, t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {diffRows} from './diff.ts';
import {wholeTaskLines} from './plan.ts';
import {roundLines} from './round.ts';
import {type PageView, plainStyle, type Style} from './style.ts';
import {escapedLines, oneLine, proseRows} from './text.ts';

type Meanings = Readonly<Partial<Record<HumanDecision['decision'], Message>>>;

const planMeanings: Meanings = {
  approve: t`Execute this plan as-is`,
  always: t`The same, and permit its command in this folder from now on`,
  reject: t`Abort the agent; a reason may follow`,
  edit: t`Edit plan manually`,
  revise: t`Plan again, as your words say`,
};

const actionMeanings: Meanings = {
  approve: t`Run exactly this action`,
  always: t`Run it now, and permit it in this folder from now on`,
  reject: t`Do not run it; a reason may follow`,
  revise: t`Do not run it; try again, as your words say`,
};

const meanings: Readonly<Record<HumanQuestionKind, Meanings>> = {
  plan: planMeanings,
  confirmation: planMeanings,
  action: actionMeanings,
  protected: actionMeanings,
  result: {
    approve: t`Accept the result`,
    reject: t`Fail the run; a reason may follow`,
    revise: t`Continue the work, as your words say`,
  },
  debate: {
    approve: t`Accept the position nevertheless`,
    reject: t`Reject the position; a reason may follow`,
  },
  'in-doubt': {
    retry: t`It did not happen: run it again`,
    done: t`It happened: continue`,
    fail: t`Count it as failed`,
    approve: t`Continue`,
    reject: t`Count it as failed`,
  },
};

const previews = {
  plan: t`Changes`,
  confirmation: t`Changes`,
  action: t`Action`,
  protected: t`Action`,
  result: t`Result`,
  debate: t`Position and open objections`,
  'in-doubt': t`What may have happened`,
};

/** The heading of a question, by its kind. */
export const questionTitles = {
  plan: t`Plan Requires Human Intervention`,
  confirmation: t`Plan Waits for Confirmation`,
  action: t`Action Requires Human Intervention`,
  protected: t`Protected Path Requires Human Intervention`,
  result: t`Result Requires Human Intervention`,
  debate: t`Debate Requires Human Intervention`,
  'in-doubt': t`Outcome in Doubt Requires Human Intervention`,
};

/** Digits of a digest that are shown: a decision names the whole one. */
export const digestDigits = 8;

/** The beginning of the digest that no other of these has. */
export function digestText(hash: string, others: readonly string[] = []): string {
  const isShared = (digits: number): boolean =>
    others.some((other) => other !== hash && other.startsWith(hash.slice(0, digits)));
  let digits = digestDigits;
  while (digits < hash.length && isShared(digits)) digits += 1;
  return oneLine(hash.slice(0, digits));
}

export function meaningOf(
  {kind}: HumanQuestion,
  decision: HumanDecision['decision'],
  reader: Reader,
): string {
  return say(meanings[kind][decision] ?? decision, reader);
}

export interface QuestionView extends PageView {
  /**
   * Maximum rows of the plan's tasks, and of other parts of the subject; the rest is counted, and the plan's reasoning is left
   * out. Absent: all.
   */
  readonly maxRows?: number;
}

/** The request, all that the decision covers, and the panel's votes on it. */
export function questionLines(question: HumanQuestion, view: QuestionView): string[] {
  return [
    ...labelledRows(say(t`Request:`, view.style), question.request, view.width),
    ...planLines(question, view),
    ...previewLines(question, view),
    ...historyLines(question, view),
  ];
}

/** A short text beside its label, a longer one below it. */
function labelledRows(label: string, text: string, width: number): string[] {
  const beside = proseRows(`${label} ${text}`, width);
  return beside.length === 1 ? beside : [label, ...proseRows(text, width, '  ')];
}

function historyLines({history, kind}: HumanQuestion, {style, width}: QuestionView): string[] {
  if (history.length === 0) return [];
  const isPlan = kind === 'plan' || kind === 'confirmation';
  const labelOf = (round: number): string =>
    say(isPlan ? t`Rev ${round}` : t`Round ${round}`, style);
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
      const times = own.length === 1 ? '' : say(t` (${own.length} times)`, style);
      return roundLines(round, style, {...view, label: `${label}${times}`});
    }),
  );
  return [say(t`Review History:`, style), ...indented(rounds)];
}

function planLines({plan}: HumanQuestion, {style, width, maxRows}: QuestionView): string[] {
  if (!plan) return [];
  const tasks = wholeTaskLines(plan, width - 2, style);
  return [
    ...labelledRows(say(t`Plan Objective:`, style), plan.objective, width),
    say(t`Tasks:`, style),
    ...indented(fitting(tasks, tasks.length, maxRows, style)),
    ...(maxRows === undefined
      ? labelledRows(say(t`Reasoning:`, style), plan.reasoning, width)
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
  const rows = diffRows(all.slice(0, most), style, width - 2, most);
  return [`${say(previews[kind], style)}:`, ...indented(fitting(rows, all.length, maxRows, style))];
}

function fitting(
  rows: readonly string[],
  lines: number,
  maxRows: number | undefined,
  style: Style,
): readonly string[] {
  if (maxRows === undefined || rows.length <= maxRows) return rows;
  const cut = style.yellow(oneLine(say(t`cut: /show shows all ${lines} {line|lines}`, style)));
  return [...rows.slice(0, maxRows), cut];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
