/** The name that somebody probably meant. */

/** The candidate with the fewest edits to `name`; undefined when there is no candidate. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const asked = name.slice(0, 100).toLowerCase();
  return candidates
    .map((candidate) => ({candidate, distance: editDistance(asked, candidate.toLowerCase())}))
    .toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, index) => index);
  for (const [line, char] of Array.from(a).entries()) {
    const next = [line + 1];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (char === b[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
