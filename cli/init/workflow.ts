/** The commands that a workflow of CI runs. */

/** The lines of its `run` keys, in their order, without duplicates and comments. */
export function commandsOfWorkflow(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const found = lines.flatMap((line, at) => {
    const [, before = '', value = ''] = /^(\s*(?:-\s+)?)run:\s*(.*)$/.exec(line) ?? [];
    if (!/^[|>]/.test(value)) return [value.replace(/^(["'])(.*)\1$/, '$2')];
    return blockAfter(lines.slice(at + 1), before.length);
  });
  const commands = found
    .map((line) => line.trim())
    .filter((line) => line !== '' && line[0] !== '#');
  return [...new Set(commands)];
}

/** The lines that are indented more than the key at this column. */
function blockAfter(lines: readonly string[], column: number): readonly string[] {
  const end = lines.findIndex(
    (line) => line.trim() !== '' && line.length - line.trimStart().length <= column,
  );
  return lines.slice(0, end < 0 ? undefined : end);
}
