/** Remembers what was made for a key. What failed is forgotten: it may succeed the next time. */
export function createMemo<V>(): (key: string, make: () => Promise<V>) => Promise<V> {
  const kept = new Map<string, Promise<V>>();
  return async (key, make) => {
    const known = kept.get(key);
    if (known) return await known;
    const made = make();
    kept.set(key, made);
    try {
      return await made;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

/** What is made when it is first asked for, and the same ever after. */
export function once<V extends object>(make: () => V): () => V {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
