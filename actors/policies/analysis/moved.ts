/** Targets of moves by commands that have run, for files that no tool can rebuild. */

import {isRegenerable} from '../../../tools/commands/regenerable.ts';
import type {SimpleCommand} from '../../../tools/commands/understanding.ts';
import {insidePath} from '../inside.ts';

/**
 * Uses only the words of the command: it has run, so the files are no longer at their old paths. `made`: files that this run
 * made. Paths are relative to the workspace.
 */
export function movedBy(
  command: SimpleCommand,
  workspace: string,
  made: ReadonlySet<string>,
): readonly string[] {
  const words = wordsOfMove(command);
  if (!words || command.folder === undefined) return [];
  const {folder} = command;
  const {sources, targets} = operandsOf(words);
  const isOwn = (path: string) => isRegenerable(path) || made.has(path);
  if (sources.every((source) => isOwn(insidePath(source, workspace, folder) ?? ''))) return [];
  return targets.flatMap((target) => insidePath(target, workspace, folder) ?? []);
}

/** `mv`, `git mv`. */
function wordsOfMove({name, args}: SimpleCommand): readonly string[] | undefined {
  const words = args.map(({text}) => text);
  if (name === 'mv') return words;
  return name === 'git' && words[0] === 'mv' ? words.slice(1) : undefined;
}

function operandsOf(words: readonly string[]) {
  const targets = words.flatMap((word, at) => {
    if (/^(?:-t|--target-directory)$/.test(word)) return words[at + 1] ?? [];
    return /^(?:-t|--target-directory=)(.+)$/s.exec(word)?.[1] ?? [];
  });
  const operands = words.filter((word) => !word.startsWith('-') && !targets.includes(word));
  if (targets.length > 0) return {sources: operands, targets};
  return {sources: operands.slice(0, -1), targets: operands.slice(-1)};
}
