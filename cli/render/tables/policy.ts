/** The policy reviewers' verdict on a command, for people. */

import type {Judgement} from '../../../actors/policies/index.ts';
import {containedReason} from '../../../machines/domain/review.ts';
import {t} from '../../../machines/message.ts';
import type {EffectKind} from '../../../tools/commands/understanding.ts';
import {say, type Reader} from '../../language.ts';
import type {Explained, ShownEffect} from '../../policy/explained.ts';
import type {Paint, Style} from '../style.ts';
import {escapedLines, oneLine, padTo, proseRows} from '../text.ts';

const verdicts = {approve: t`APPROVE`, refuse: t`REFUSE`, cannot_judge: t`CAN'T JUDGE`};
const lineNames = {
  reads: t`reads`,
  writes: t`writes`,
  runs: t`runs{:command}`,
  reaches: t`reaches`,
};

interface PolicyView {
  readonly style: Style;
  readonly width: number;
}

/** The verdict, the command, and its lines: what it reads, writes, runs and reaches, how it is confined, and why. */
export function policyLines(found: Explained, {style, width}: PolicyView): string[] {
  const {verdict, command} = found;
  return [
    paintOf(verdict, style)(say(verdicts[verdict], style)),
    ...escapedLines(command).map((line) => `  $ ${line}`),
    ...lines.flatMap((name) => {
      const targets = targetsOf(found, name, style);
      if (targets === '' && name === 'runs') return [];
      const text = targets === '' ? say(t`nothing that its words name`, style) : targets;
      return `  ${padTo(say(lineNames[name], style), column)}${oneLine(text, width - column - 2)}`;
    }),
    `  ${padTo(say(t`grade`, style), column)}${gradeText(found, style)}`,
    ...reasonRows(found, width, style),
  ];
}

/** How the command is confined. */
function gradeText({grade, undoable}: Explained, reader: Reader): string {
  if (grade === 'none') return say(t`none: commands run unconfined here`, reader);
  return undoable
    ? say(t`${grade}; its changes can be undone`, reader)
    : say(t`${grade}; not all of its changes can be undone`, reader);
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
  const more = rest > 0 ? say(t`, and ${rest} more`, style) : '';
  return `${targets.slice(0, maxTargets).join(', ')}${more}`;
}

/** `  why      …`: the reason of an approval, or the reasons against one. */
function reasonRows({verdict, reasons, unknown}: Explained, width: number, style: Style): string[] {
  const why =
    verdict === 'approve'
      ? [
          reasons.some((reason) => reason.startsWith(containedReason))
            ? say(t`It runs confined, and its changes can be undone.`, style)
            : say(t`It only reads, or runs a usual check.`, style),
        ]
      : reasons;
  const texts =
    verdict === 'cannot_judge' && unknown.length > 0
      ? [say(t`No rule decides: the models that vote, or a person.`, style), ...why]
      : why;
  return texts.flatMap((text, at) => {
    const rows = proseRows(text, width - column - 2);
    return rows.map((row, index) => {
      const isFirst = at === 0 && index === 0;
      return `  ${padTo(isFirst ? say(t`why`, style) : '', column)}${row}`;
    });
  });
}

function paintOf(verdict: Judgement['verdict'], style: Style): Paint {
  if (verdict === 'approve') return style.green;
  return verdict === 'refuse' ? style.red : style.yellow;
}

function targetText({target, wide}: ShownEffect, reader: Reader): string {
  const name = target === '.' ? say(t`the workspace`, reader) : target;
  return wide ? say(t`${name} (more than one file)`, reader) : name;
}
