/** A lazy value: created on the first call, and returned by every later one. */
export function once<V extends object>(make: () => V): () => V {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
