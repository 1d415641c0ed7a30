/** The policy reviewers' verdict on a command, for people. */

import type {Judgement} from '../../../actors/policies/index.ts';
import {containedReason} from '../../../machines/panel/contained-approval.ts';
import type {EffectKind} from '../../../tools/commands/effect.ts';
import type {Reader} from '../../language.ts';
import type {Explained, ShownEffect} from '../../policy/explained.ts';
import type {Paint, Style} from '../style.ts';
import {escapedLines, oneLine, padTo, proseRows} from '../text.ts';
import {tableTexts} from './texts.ts';

interface PolicyView {
  readonly style: Style;
  readonly width: number;
}

/** The verdict, the command, and its lines: what it reads, writes, runs and reaches, how it is confined, and why. */
export function policyLines(found: Explained, {style, width}: PolicyView): string[] {
  const {verdict, command} = found;
  const texts = tableTexts(style).policy;
  return [
    paintOf(verdict, style)(texts.verdicts[verdict]),
    ...escapedLines(command).map((line) => `  $ ${line}`),
    ...lines.flatMap((name) => {
      const targets = targetsOf(found, name, style);
      if (targets === '' && name === 'runs') return [];
      const text = targets === '' ? texts.none : targets;
      return `  ${padTo(texts.lines[name], column)}${oneLine(text, width - column - 2)}`;
    }),
    `  ${padTo(texts.lines.grade, column)}${texts.grade(found.grade, found.undoable)}`,
    ...reasonRows(found, width, style),
  ];
}

const lines = ['reads', 'writes', 'runs', 'reaches'] as const;

const kinds: Readonly<Record<EffectKind, (typeof lines)[number]>> = {
  reads: 'reads',
  lists: 'reads',
  reveals: 'reads',
  creates: 'writes',
  appends: 'writes',
  edits: 'writes',
  writes: 'writes',
  empties: 'writes',
  moves: 'writes',
  deletes: 'writes',
  records: 'writes',
  discards: 'writes',
  runs: 'runs',
  fetches: 'reaches',
  sends: 'reaches',
  installs: 'reaches',
  publishes: 'reaches',
  signals: 'reaches',
  alters: 'reaches',
};

/** The width of the names of the lines, with a space. */
const column = 9;
const maxTargets = 20;

/** `package.json, src (more than one file)` */
function targetsOf({effects}: Explained, line: (typeof lines)[number], style: Style): string {
  const own = effects.filter(({effect, target}) => kinds[effect] === line && target !== '');
  const targets = [...new Set(own.map((effect) => targetText(effect, style)))];
  const rest = targets.length - maxTargets;
  const more = rest > 0 ? tableTexts(style).policy.more(rest) : '';
  return `${targets.slice(0, maxTargets).join(', ')}${more}`;
}

/** `  why      …`: the reason of an approval, or the reasons against one. */
function reasonRows({verdict, reasons, unknown}: Explained, width: number, style: Style): string[] {
  const {lines: names, approved, people} = tableTexts(style).policy;
  const why =
    verdict === 'approve'
      ? [
          reasons.some((reason) => reason.startsWith(containedReason))
            ? approved.contained
            : approved.reads,
        ]
      : reasons;
  const texts = verdict === 'cannot_judge' && unknown.length > 0 ? [people, ...why] : why;
  return texts.flatMap((text, at) => {
    const rows = proseRows(text, width - column - 2);
    return rows.map((row, index) => {
      const isFirst = at === 0 && index === 0;
      return `  ${padTo(isFirst ? names.why : '', column)}${row}`;
    });
  });
}

function paintOf(verdict: Judgement['verdict'], style: Style): Paint {
  if (verdict === 'approve') return style.green;
  return verdict === 'refuse' ? style.red : style.yellow;
}

function targetText({target, wide}: ShownEffect, reader: Reader): string {
  const texts = tableTexts(reader).policy;
  const name = target === '.' ? texts.workspace : target;
  return wide ? texts.wide(name) : name;
}
