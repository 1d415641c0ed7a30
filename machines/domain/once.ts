/** What is made when it is first asked for, and the same ever after. */
export function once<V extends object>(make: () => V): () => V {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
