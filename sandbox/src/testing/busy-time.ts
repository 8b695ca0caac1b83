/** The milliseconds that this thread has computed, which don't grow while others use the machine. */
export function getBusyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
