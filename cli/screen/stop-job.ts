/** Ctrl-Z: stops the process as a shell expects it, and draws again after `fg`. */
export function stopUntilContinued(leave: () => void, comeBack: () => void): void {
  leave();
  // With the keyboard closed, nothing else keeps the process alive until the signal is delivered.
  const alive = setInterval(() => {}, 60_000);
  process.once('SIGCONT', () => {
    clearInterval(alive);
    comeBack();
  });
  process.kill(process.pid, 'SIGTSTP');
}
