/** Suggests the name that a mistyped name probably stands for. */

/** The candidate that begins with `name`, or the one at the smallest edit distance; undefined when none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, maxLength).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = nameDistance(wanted, candidate.slice(0, maxLength).toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The `count` candidates at the smallest distances, the nearest first; of equal ones, in their order. */
export function nearestOf(name: string, candidates: readonly string[], count: number): string[] {
  const wanted = name.slice(0, maxLength).toLowerCase();
  return candidates
    .map((text) => ({text, distance: nameDistance(wanted, text.slice(0, maxLength).toLowerCase())}))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({text}) => text);
}

/** `; did you mean "…"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const candidate = nearest(name, candidates);
  return candidate === undefined ? '' : `; did you mean "${candidate}"?`;
}

/** Longer names are compared by their beginning only, so that a hostile name costs no time. */
const maxLength = 80;
/** Shorter names are prefixes of too many others. */
const minBeginning = 4;

function nameDistance(wanted: string, candidate: string): number {
  const isBeginning = wanted.length >= minBeginning && candidate.startsWith(wanted);
  return isBeginning && wanted !== candidate ? 1 : editDistance(wanted, candidate);
}

/** Insertions, deletions, substitutions and swaps of neighbours that lead from one text to the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({length: b.length + 1}, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    [before, above] = [above, current];
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
