/** Resolves on the first SIGTERM or SIGINT. Later signals change nothing: shutdown has a time limit. */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
