/** Processor time of this thread in milliseconds: other work of the machine does not count. */
export function cpuMs(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1_000;
}
