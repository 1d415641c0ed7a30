/** The outcome of an undo, file by file. */

import type {UndoReport} from '../../../actors/runtime-api.ts';
import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, padTo, widthOfText} from '../text.ts';

const toDo = {
  restored: t`would be restored`,
  removed: t`would be removed{:file}`,
  asBefore: t`is as before`,
  left: t`would be left`,
};
const done = {
  restored: t`restored`,
  removed: t`removed{:file}`,
  asBefore: t`as before`,
  left: t`left`,
};

type Undone = UndoReport['files'][number];

export function undoLines(
  {interaction, workspace, files, setAside, commands, isOpen}: UndoReport,
  {style, dryRun}: {readonly style: Style; readonly dryRun: boolean},
): string[] {
  const id = oneLine(interaction);
  const words = dryRun ? toDo : done;
  const width = Math.max(...Object.values(words).map((word) => widthOfText(say(word, style))));
  return [
    `${style.bold(id)} ${style.dim(say(t`in ${oneLine(workspace)}{:undo}`, style))}`,
    ...(files.length === 0 ? [say(t`  it has written no files`, style)] : []),
    ...files.map(
      (file) => `  ${fileText(file, padTo(say(words[file.outcome], style), width), style)}`,
    ),
    ...setAside.map((line) => style.yellow(oneLine(line))),
    ...(commands === 0
      ? []
      : [
          style.yellow(
            say(
              t`Other effects of ${commands} {command|commands} are not taken back: quorate show ${id} shows them`,
              style,
            ),
          ),
        ]),
    ...(isOpen
      ? [
          say(
            t`The run is open: quorate cancel ${id} ends it, quorate resume ${id} continues it`,
            style,
          ),
        ]
      : []),
  ];
}

function fileText({path, outcome, why}: Undone, word: string, style: Style): string {
  const because = why === undefined ? '' : `: ${oneLine(why)}`;
  return `${(outcome === 'left' ? style.yellow : style.green)(word)}  ${oneLine(path)}${because}`;
}
