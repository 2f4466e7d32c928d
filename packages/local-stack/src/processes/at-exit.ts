import { constants } from 'node:os';

const lastResorts = new Set<() => void>();

process.on('exit', () => {
  // last started, first ended: an Erlang node whose port mapper has gone starts another
  for (const act of [...lastResorts].toReversed()) act();
});

// a signal that nobody listens to ends the process without an 'exit'; whoever does listen ends it in their own way
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}

/** Has something done when this process exits, unless it is called off before by the function given back. */
export const atExit = (act: () => void): (() => void) => {
  lastResorts.add(act);
  return () => lastResorts.delete(act);
};
