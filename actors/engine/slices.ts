/** Slices of time that all engines of the process share, so that signals, timers and messages get in between. */

const sliceMs = 8;

let endsAt = 0;
let isSliceOpen = false;

/** Whether the work since the event loop last turned has taken its time: go on after {@link nextTurn}. */
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
