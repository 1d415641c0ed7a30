/** The policy reviewers' verdict on a command, for people. */

import type {Judgement} from '../../../actors/policies/index.ts';
import type {Explained, ShownEffect} from '../../policy/explained.ts';
import type {Paint, Style} from '../style.ts';
import {escapedLines, oneLine, proseRows} from '../text.ts';

const words = {approve: 'APPROVE', refuse: 'REFUSE', cannot_judge: "CAN'T JUDGE"} as const;

interface PolicyView {
  readonly style: Style;
  readonly width: number;
}

/** The verdict, the statement of each reviewer, the effects by kind, the reasons. */
export function policyLines(found: Explained, {style, width}: PolicyView): string[] {
  const {verdict, command, by, reasons} = found;
  return [
    paintOf(verdict, style)(words[verdict]),
    ...escapedLines(command).map((line) => `  $ ${line}`),
    ...Object.entries(by).map(
      ([policy, answer]) => `  policy/${policy.padEnd(8)}  ${answerText(answer)}`,
    ),
    ...(verdict === 'approve' ? [] : reasons.flatMap((reason) => reasonRows(reason, width))),
    ...effectLines(found, width),
  ];
}

function paintOf(verdict: Judgement['verdict'], style: Style): Paint {
  if (verdict === 'approve') return style.green;
  return verdict === 'refuse' ? style.red : style.yellow;
}

function answerText(answer: Judgement['verdict'] | null): string {
  if (answer === null) return 'not consulted: no --request';
  return answer === 'cannot_judge' ? "can't judge" : answer;
}

function reasonRows(reason: string, width: number): string[] {
  const rows = proseRows(reason, width - 5);
  return rows.map((row, index) => (index === 0 ? `  └─ ${row}` : `     ${row}`));
}

const maxTargets = 20;

/** `  reads     package.json, src (all of it)` */
function effectLines({effects, unknown}: Explained, width: number): string[] {
  if (effects.length === 0) {
    return [
      unknown.length === 0 ? '  It changes and reads nothing.' : '  No effect was understood.',
    ];
  }
  const kinds = Map.groupBy(effects, ({effect}) => effect);
  return [...kinds].map(([kind, own]) => {
    const targets = [...new Set(own.map(targetText))];
    const more = targets.length > maxTargets ? `, and ${targets.length - maxTargets} more` : '';
    const text = oneLine(`${targets.slice(0, maxTargets).join(', ')}${more}`, width - 12);
    return `  ${kind.padEnd(9)} ${text}`;
  });
}

function targetText({target, wide}: ShownEffect): string {
  const name = target === '.' ? 'the workspace' : target;
  return wide ? `${name} (more than one file)` : name;
}
