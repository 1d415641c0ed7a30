/** The outcome of an undo, file by file. */

import type {UndoReport} from '../../../actors/runtime-api.ts';
import type {Style} from '../style.ts';
import {tableTexts} from '../tables/texts.ts';
import {oneLine, padTo, widthOfText} from '../text.ts';

type Undone = UndoReport['files'][number];

export function undoLines(
  {interaction, workspace, files, setAside, commands, isOpen}: UndoReport,
  {style, dryRun}: {readonly style: Style; readonly dryRun: boolean},
): string[] {
  const id = oneLine(interaction);
  const texts = tableTexts(style).undo;
  const words = dryRun ? texts.toDo : texts.done;
  const width = Math.max(...Object.values(words).map(widthOfText));
  return [
    `${style.bold(id)} ${style.dim(texts.inFolder(oneLine(workspace)))}`,
    ...(files.length === 0 ? [texts.nothing] : []),
    ...files.map((file) => `  ${fileText(file, padTo(words[file.outcome], width), style)}`),
    ...setAside.map((line) => style.yellow(oneLine(line))),
    ...(commands === 0 ? [] : [style.yellow(texts.commands(commands, id))]),
    ...(isOpen ? [texts.open(id)] : []),
  ];
}

function fileText({path, outcome, why}: Undone, word: string, style: Style): string {
  const because = why === undefined ? '' : `: ${oneLine(why)}`;
  return `${(outcome === 'left' ? style.yellow : style.green)(word)}  ${oneLine(path)}${because}`;
}
