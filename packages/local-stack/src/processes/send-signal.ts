/** A negative id names a process group. Does nothing if the process has ended. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // already ended
  }
};
