/** The policy reviewers' verdict on a command, for people. */

import type {Judgement} from '../../../actors/policies/index.ts';
import type {Reader} from '../../language.ts';
import type {Explained, ShownEffect} from '../../policy/explained.ts';
import type {Paint, Style} from '../style.ts';
import {escapedLines, oneLine, proseRows} from '../text.ts';
import {tableTexts} from './texts.ts';

interface PolicyView {
  readonly style: Style;
  readonly width: number;
}

/** The verdict, the statement of each reviewer, the effects by kind, the reasons. */
export function policyLines(found: Explained, {style, width}: PolicyView): string[] {
  const {verdict, command, by, reasons} = found;
  return [
    paintOf(verdict, style)(tableTexts(style).policy.verdicts[verdict]),
    ...escapedLines(command).map((line) => `  $ ${line}`),
    ...Object.entries(by).map(
      ([policy, answer]) => `  policy/${policy.padEnd(8)}  ${answerText(answer, style)}`,
    ),
    ...(verdict === 'approve' ? [] : reasons.flatMap((reason) => reasonRows(reason, width))),
    ...effectLines(found, width, style),
  ];
}

function paintOf(verdict: Judgement['verdict'], style: Style): Paint {
  if (verdict === 'approve') return style.green;
  return verdict === 'refuse' ? style.red : style.yellow;
}

function answerText(answer: Judgement['verdict'] | null, reader: Reader): string {
  const {notConsulted, answers} = tableTexts(reader).policy;
  return answer === null ? notConsulted : answers[answer];
}

function reasonRows(reason: string, width: number): string[] {
  const rows = proseRows(reason, width - 5);
  return rows.map((row, index) => (index === 0 ? `  └─ ${row}` : `     ${row}`));
}

const maxTargets = 20;

/** `  reads     package.json, src (all of it)` */
function effectLines({effects, unknown}: Explained, width: number, reader: Reader): string[] {
  const texts = tableTexts(reader).policy;
  if (effects.length === 0) {
    return [unknown.length === 0 ? texts.noEffects : texts.notUnderstood];
  }
  const kinds = Map.groupBy(effects, ({effect}) => effect);
  return [...kinds].map(([kind, own]) => {
    const targets = [...new Set(own.map((effect) => targetText(effect, reader)))];
    const more = targets.length > maxTargets ? texts.more(targets.length - maxTargets) : '';
    const text = oneLine(`${targets.slice(0, maxTargets).join(', ')}${more}`, width - 12);
    return `  ${kind.padEnd(9)} ${text}`;
  });
}

function targetText({target, wide}: ShownEffect, reader: Reader): string {
  const texts = tableTexts(reader).policy;
  const name = target === '.' ? texts.workspace : target;
  return wide ? texts.wide(name) : name;
}
