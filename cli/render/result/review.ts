/** A review of a diff as text: the verdict, the comments by file, the votes. */

import {severities, type Severity} from '../../../machines/domain/patch.ts';
import type {DiffReview} from '../../../machines/domain/result.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import type {Paint, Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';

/** Comments in the order of the diff, below their files. */
export function commentLines({comments}: DiffReview, style: Style, width: number): string[] {
  const files = Map.groupBy(comments, ({file}) => file);
  return [...files]
    .flatMap(([file, own]) => [
      ['', style.bold(oneLine(file) || say(t`The whole diff`, style))],
      own.flatMap((comment) => commentRows(comment, style, width)),
    ])
    .flat();
}

/** `12  major  disabled-test: "it.skip("; better: … (policy/evidence)` */
function commentRows(
  {line, severity, message, seat}: DiffReview['comments'][number],
  style: Style,
  width: number,
): string[] {
  const place = (line === undefined ? '' : String(line)).padStart(6);
  const word = severity.padEnd(longest);
  const [first = '', ...rest] = proseRows(`${message} (${seat})`, Math.max(20, width - indent));
  return [
    `${place}  ${paintFor(severity, style)(word)}  ${first}`,
    ...rest.map((row) => ' '.repeat(indent) + row),
  ];
}

const longest = Math.max(...severities.map((word) => word.length));
const indent = 6 + 2 + longest + 2;

function paintFor(severity: Severity, style: Style): Paint {
  return severity === 'minor' ? style.dim : severity === 'major' ? style.yellow : style.red;
}
