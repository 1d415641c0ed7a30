/** Removes from each entry of a list the keys that a schema refused. */

interface Issue {
  readonly path: readonly PropertyKey[];
  /** The unknown keys of an entry. */
  readonly keys?: readonly string[];
}

export interface SoundEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The removed keys. */
  readonly faulty: ReadonlySet<string>;
}

/** Returns one item for each entry, in order. `list` is the key of the list: the paths of its issues begin with it. */
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
