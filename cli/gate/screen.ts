/** The question to a person as lines: the subject of the decision, the votes, the commands. */

import {readAllowRule} from '../../machines/domain/allow-rule.ts';
import type {HumanDecision, HumanQuestion} from '../../machines/domain/human.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {meaningOf, questionLines, questionTitles} from '../render/question.ts';
import {decidingOn} from '../render/result/waiting.ts';
import type {ScreenSize, Style} from '../render/style.ts';
import {proseRows} from '../render/text.ts';

/** A diff or a plan with more rows than this is shown only by /show. */
const maxRows = 200;

/** The asking interaction, where several have open questions. */
export interface AskedBy {
  /** The place of the asking interaction. */
  readonly place: string;
  readonly commands: readonly string[];
  /** The screen scrolls: all rows are shown. */
  readonly isWhole?: boolean;
}

/** The whole screen except the prompt. `by`: for one of several interactions of a conversation. */
export function screenLines(
  question: HumanQuestion,
  workspace: string,
  style: Style,
  {width}: ScreenSize,
  by?: AskedBy,
): string[] {
  const title = `${by ? `${by.place}: ` : ''}${style.bold(say(questionTitles[question.kind], style))}`;
  return [
    style.yellow(`⚠️  ${title}`),
    ...proseRows(question.reason, width),
    ...questionLines(question, {
      style,
      width,
      maxRows: by?.isWhole === true ? Number.POSITIVE_INFINITY : maxRows,
    }),
    say(t`Commands:`, style),
    ...(by?.commands ?? commandLines(question, style)),
    ...proseRows(decidingOn({question, workspace}, style), width).map(style.dim),
  ];
}

export function commandLines(question: HumanQuestion, reader: Reader): string[] {
  return rowsOf([
    ...answersTo(question, reader),
    ['quit', say(t`Decide later: the run is suspended`, reader)],
  ]);
}

/** For a conversation, which has more commands than the question's. `place`: names one of several questions. */
export function answerCommandLines(
  question: HumanQuestion,
  reader: Reader,
  place?: string,
): string[] {
  return rowsOf(answersTo(question, reader, place === undefined ? '' : ` ${place}`));
}

type Row = readonly [command: string, text: string];

/** `which`: the place of one of several questions, with a leading blank. */
function answersTo(question: HumanQuestion, reader: Reader, which = ''): Row[] {
  const {allowed, plan, preview} = question;
  return [
    ...allowed.flatMap((decision) => rowsFor(question, decision, which, reader)),
    ...(plan || preview !== undefined
      ? [[`show${which}`, say(t`Show all of it`, reader)] as const]
      : []),
  ];
}

function rowsFor(
  question: HumanQuestion,
  decision: HumanDecision['decision'],
  which: string,
  reader: Reader,
): readonly Row[] {
  const {lasting} = question;
  const row: Row = [decision + which, meaningOf(question, decision, reader)];
  if (decision !== 'always' || !lasting || !readAllowRule(lasting, lasting.command).ok) {
    return [row];
  }
  return [
    row,
    [
      `always${which} WORDS`,
      say(t`The same for every command that begins with these words`, reader),
    ],
  ];
}

function rowsOf(rows: readonly Row[]): string[] {
  const width = Math.max(9, ...rows.map(([name]) => name.length + 1));
  return rows.map(([name, text]) => `  ${`/${name}`.padEnd(width)} - ${text}`);
}
