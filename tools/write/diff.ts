/** A unified diff of two texts, for people and reviewers. */

const contextLines = 3;

/** Beyond this many differing lines the changed middle is shown as replaced whole. */
const maxEdits = 400;

type Line = readonly [mark: ' ' | '-' | '+', text: string];

/** A unified diff with three lines of context; empty when the texts are the same. `undefined`: the file is absent. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const lines = compare(splitLines(before ?? ''), splitLines(after));
  const head = `--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ b/${path}`;
  return [head, ...hunks(lines)].join('\n');
}

/** Lines with their ends, so that a missing last line end or a changed one shows. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...kept(before.slice(0, start)),
    ...editScript(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...kept(before.slice(before.length - end)),
  ];
}

function kept(lines: readonly string[]): Line[] {
  return lines.map((text): Line => [' ', text]);
}

/** Myers' shortest edit script: furthest reaching points for each number of edits, then the way back. */
function editScript(before: readonly string[], after: readonly string[]): Line[] {
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(maxEdits, before.length + after.length); edits += 1) {
    trace.push(furthest);
    furthest = new Map(furthest);
    if (extend(furthest, edits, before, after)) return wayBack(trace, before, after);
  }
  return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
}

function extend(
  furthest: Map<number, number>,
  edits: number,
  before: readonly string[],
  after: readonly string[],
): boolean {
  for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
    let x = stepsDown(furthest, diagonal, edits)
      ? (furthest.get(diagonal + 1) ?? 0)
      : (furthest.get(diagonal - 1) ?? 0) + 1;
    while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) {
      x += 1;
    }
    furthest.set(diagonal, x);
    if (x >= before.length && x - diagonal >= after.length) return true;
  }
  return false;
}

function stepsDown(
  furthest: ReadonlyMap<number, number>,
  diagonal: number,
  edits: number,
): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1);
}

function wayBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let x = before.length;
  let y = after.length;
  for (const [edits, furthest] of [...trace.entries()].toReversed()) {
    const down = stepsDown(furthest, x - y, edits);
    const diagonal = x - y + (down ? 1 : -1);
    const fromX = furthest.get(diagonal) ?? 0;
    const fromY = fromX - diagonal;
    const same = Math.min(x - fromX, y - fromY);
    lines.push(...kept(before.slice(x - same, x)).toReversed());
    if (edits > 0) lines.push(down ? ['+', after[fromY] ?? ''] : ['-', before[fromX] ?? '']);
    x = fromX;
    y = fromY;
  }
  return lines.toReversed();
}

function hunks(lines: readonly Line[]): string[] {
  const wanted = new Set<number>();
  for (const [index, [mark]] of lines.entries()) {
    if (mark === ' ') continue;
    for (let near = index - contextLines; near <= index + contextLines; near += 1) wanted.add(near);
  }
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const [index, line] of lines.entries()) {
    if (wanted.has(index)) {
      if (!wanted.has(index - 1) || index === 0)
        out.push(header(lines, wanted, index, oldLine, newLine));
      out.push(render(line));
    }
    if (line[0] !== '+') oldLine += 1;
    if (line[0] !== '-') newLine += 1;
  }
  return out;
}

function header(
  lines: readonly Line[],
  wanted: ReadonlySet<number>,
  from: number,
  oldLine: number,
  newLine: number,
): string {
  let old = 0;
  let fresh = 0;
  for (let index = from; index < lines.length && wanted.has(index); index += 1) {
    if (lines[index]?.[0] !== '+') old += 1;
    if (lines[index]?.[0] !== '-') fresh += 1;
  }
  return `@@ -${range(oldLine, old)} +${range(newLine, fresh)} @@`;
}

function range(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : `${line},${count}`;
}

function render([mark, text]: Line): string {
  return text.endsWith('\n')
    ? mark + text.slice(0, -1)
    : `${mark}${text}\n\\ No newline at end of file`;
}
