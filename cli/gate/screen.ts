/** The question to a person as lines: the subject of the decision, the votes, the commands. */

import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import type {HumanDecision, HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {meaningOf, questionLines} from '../render/question.ts';
import {decidingOn} from '../render/result/waiting.ts';
import type {ScreenSize} from '../render/screen.ts';
import type {Style} from '../render/style.ts';
import {proseRows} from '../render/text.ts';

const ruleColumns = 63;

/** A diff or a plan with more rows than this is shown only by /show. */
const maxRows = 200;

const titles: Readonly<Record<HumanQuestionKind, string>> = {
  plan: 'Plan Requires Human Intervention',
  confirmation: 'Plan Waits for Confirmation',
  action: 'Action Requires Human Intervention',
  protected: 'Protected Path Requires Human Intervention',
  result: 'Result Requires Human Intervention',
  debate: 'Debate Requires Human Intervention',
  'in-doubt': 'Outcome in Doubt Requires Human Intervention',
};

/** The asking interaction, where several have open questions. */
export interface AskedBy {
  /** The place of the asking interaction. */
  readonly place: string;
  readonly commands: readonly string[];
}

/** The whole screen except the prompt. `by`: for one of several interactions of a conversation. */
export function screenLines(
  question: HumanQuestion,
  workspace: string,
  style: Style,
  {width}: ScreenSize,
  by?: AskedBy,
): string[] {
  const rule = style.yellow('═'.repeat(Math.min(ruleColumns, width)));
  return [
    rule,
    `  ⚠️  ${by ? `${by.place}: ` : ''}${style.bold(titles[question.kind])}`,
    rule,
    '',
    ...proseRows(question.reason, width),
    '',
    ...questionLines(question, {style, width, maxRows}),
    '',
    'Commands:',
    ...(by?.commands ?? commandLines(question)),
    '',
    ...decidingOn({question, workspace})
      .flatMap((line) => proseRows(line, width))
      .map(style.dim),
    '',
  ];
}

export function commandLines(question: HumanQuestion): string[] {
  return rowsOf([
    ...answersTo(question),
    ['help', 'Show these commands'],
    ['quit', 'Decide later: the run is suspended'],
  ]);
}

/** For a conversation, which has more commands than the question's. `place`: names one of several questions. */
export function answerCommandLines(question: HumanQuestion, place?: string): string[] {
  return rowsOf(answersTo(question, place === undefined ? '' : ` ${place}`));
}

type Row = readonly [command: string, text: string];

/** `which`: the place of one of several questions, with a leading blank. */
function answersTo(question: HumanQuestion, which = ''): Row[] {
  const {allowed, plan, preview} = question;
  return [
    ...allowed.flatMap((decision) => rowsFor(question, decision, which)),
    ...(plan || preview !== undefined ? [[`show${which}`, 'Show all of it'] as const] : []),
  ];
}

function rowsFor(
  question: HumanQuestion,
  decision: HumanDecision['decision'],
  which: string,
): readonly Row[] {
  const {lasting} = question;
  const row: Row = [decision + which, meaningOf(question, decision)];
  if (decision !== 'always' || !lasting || !readAllowRule(lasting, lasting.command).ok) {
    return [row];
  }
  return [row, [`always${which} WORDS`, 'The same for whatever begins with these words of it']];
}

function rowsOf(rows: readonly Row[]): string[] {
  const width = Math.max(9, ...rows.map(([name]) => name.length + 1));
  return rows.map(([name, text]) => `  ${`/${name}`.padEnd(width)} - ${text}`);
}
