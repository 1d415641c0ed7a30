/** The screen on which a person is asked: what is decided, what was voted, which commands there are. */

import type {HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {meaningOf, questionLines} from '../lines/question.ts';
import type {Style} from '../lines/style.ts';
import {proseRows} from '../lines/text.ts';
import {decidingOn} from '../lines/waiting.ts';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

const ruleColumns = 63;

/** A diff or a plan with more rows than this is left to /show. */
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

/** The whole screen but the prompt. */
export function screenLines(
  question: HumanQuestion,
  workspace: string,
  style: Style,
  {width}: ScreenSize,
): string[] {
  const rule = style.yellow('═'.repeat(Math.min(ruleColumns, width)));
  return [
    rule,
    `  ⚠️  ${style.bold(titles[question.kind])}`,
    rule,
    '',
    ...proseRows(question.reason, width),
    '',
    ...questionLines(question, {style, width, maxRows}),
    '',
    'Commands:',
    ...commandLines(question),
    '',
    ...decidingOn({question, workspace})
      .flatMap((line) => proseRows(line, width))
      .map(style.dim),
    '',
  ];
}

export function commandLines(question: HumanQuestion): string[] {
  const {allowed, plan, preview} = question;
  const decisions = allowed.map((decision): [string, string] => [
    decision,
    meaningOf(question, decision),
  ]);
  const extras: [string, string][] = [
    ...(plan || preview !== undefined ? [['show', 'Show all of it'] as [string, string]] : []),
    ['help', 'Show these commands'],
    ['quit', 'Decide later: the run is suspended'],
  ];
  return [...decisions, ...extras].map(([name, text]) => `  ${`/${name}`.padEnd(9)} - ${text}`);
}
