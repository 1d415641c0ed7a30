/** Time slices that all engines of the process share, so that signals, timers and messages are handled between them. */

const sliceMs = 8;

let endsAt = 0;
let isSliceOpen = false;

/** True when the slice of this turn of the event loop is used up: continue after {@link nextTurn}. */
export function isSliceOver(): boolean {
  if (isSliceOpen) return performance.now() >= endsAt;
  isSliceOpen = true;
  endsAt = performance.now() + sliceMs;
  setImmediate(() => {
    isSliceOpen = false;
  });
  return false;
}

/** Resolves when the event loop has turned. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
