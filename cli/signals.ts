/** Ctrl-C, a shutdown, a lost terminal: the first asks to stop, the second stops at once. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** 128 + SIGINT, for every one of the signals: the run can be resumed. */
const interruptedExitCode = 130;

/** Returns a function that stops listening. The second signal ends the process: the journal is durable at every instant. */
export function onInterrupt(callback: () => void): () => void {
  let count = 0;
  const listener = (): void => {
    count += 1;
    if (count > 1) process.exit(interruptedExitCode);
    callback();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
