/** The outcome of an undo, file by file. */

import type {UndoReport} from '../../../actors/runtime-api.ts';
import {countText} from '../numbers.ts';
import type {Style} from '../style.ts';
import {oneLine, padTo} from '../text.ts';

type Undone = UndoReport['files'][number];

const done: Readonly<Record<Undone['outcome'], string>> = {
  restored: 'restored',
  removed: 'removed',
  asBefore: 'as before',
  left: 'left',
};
const toDo: Readonly<Record<Undone['outcome'], string>> = {
  restored: 'would be restored',
  removed: 'would be removed',
  asBefore: 'is as before',
  left: 'would be left',
};

export function undoLines(
  {interaction, workspace, files, setAside, commands, isOpen}: UndoReport,
  {style, dryRun}: {readonly style: Style; readonly dryRun: boolean},
): string[] {
  const id = oneLine(interaction);
  const words = dryRun ? toDo : done;
  const width = Math.max(...Object.values(words).map(({length}) => length));
  return [
    `${style.bold(id)} ${style.dim(`in ${oneLine(workspace)}`)}`,
    ...(files.length === 0 ? ['  it has written no files'] : []),
    ...files.map((file) => `  ${fileText(file, padTo(words[file.outcome], width), style)}`),
    ...setAside.map((line) => style.yellow(oneLine(line))),
    ...(commands === 0
      ? []
      : [
          style.yellow(
            `What ${countText(commands, 'command')} did beyond these files is not taken back: look at it with quorate show ${id}`,
          ),
        ]),
    ...(isOpen
      ? [`The run is open: quorate cancel ${id} ends it, quorate resume ${id} continues it`]
      : []),
  ];
}

function fileText({path, outcome, why}: Undone, word: string, style: Style): string {
  const because = why === undefined ? '' : `: ${oneLine(why)}`;
  return `${(outcome === 'left' ? style.yellow : style.green)(word)}  ${oneLine(path)}${because}`;
}
