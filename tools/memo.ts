/** Keeps the value made for each key. A failed attempt is not kept: the next one may succeed. */
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
