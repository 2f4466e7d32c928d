/** Sends a signal to a process, or to a process group where the id is negative. Nothing happens when it is gone. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
};
