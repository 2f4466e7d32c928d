/** Returns the time field of a log line for pino. Lines of one millisecond share its text. */
export const loggedTime = (nowMs: () => number = Date.now): (() => string) => {
  let [writtenMs, text] = [Number.NaN, ''];
  return () => {
    const ms = nowMs();
    if (ms !== writtenMs) [writtenMs, text] = [ms, `,"time":"${new Date(ms).toISOString()}"`];
    return text;
  };
};
