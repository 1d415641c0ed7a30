/** Runs `work` on the items one after another. Rejects with the first rejection; later items are not begun then. */
export async function inTurn<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const [first, ...rest] = items;
  if (first === undefined) return;
  await work(first);
  await inTurn(rest, work);
}
