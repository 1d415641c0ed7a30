/** Work on one after another, in their order. Rejects with the first that rejects; the rest is not begun then. */
export async function inTurn<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const [first, ...rest] = items;
  if (first === undefined) return;
  await work(first);
  await inTurn(rest, work);
}
