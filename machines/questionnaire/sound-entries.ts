/** The entries of a list, each without the keys in which a schema found something wrong. */

interface Issue {
  readonly path: readonly PropertyKey[];
  /** Of an entry with keys that nobody knows. */
  readonly keys?: readonly string[];
}

export interface SoundEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The keys that were left out. */
  readonly faulty: ReadonlySet<string>;
}

/** In the order of the list, as many as it has. `list`: its key, with which the paths of its issues begin. */
export function soundEntries(
  value: unknown,
  issues: readonly Issue[],
  list: string,
): readonly SoundEntry[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown, index): SoundEntry => {
    const faulty = new Set(
      issues
        .filter(({path}) => path[0] === list && path[1] === index)
        .flatMap(({path, keys}) => keys ?? path.slice(2, 3).map(String)),
    );
    const known = typeof entry === 'object' && entry !== null ? Object.entries(entry) : [];
    return {entry: Object.fromEntries(known.filter(([key]) => !faulty.has(key))), faulty};
  });
}
