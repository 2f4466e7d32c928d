import { constants } from 'node:os';

const lastResorts = new Set<() => void>();

process.on('exit', () => {
  // last started, first ended: an Erlang node without its port mapper starts another one
  for (const act of [...lastResorts].toReversed()) act();
});

// without a listener a signal ends the process without an 'exit' event; other listeners end it themselves
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}

/** Calls `act` when this process exits. Returns a function that cancels it. */
export const atExit = (act: () => void): (() => void) => {
  lastResorts.add(act);
  return () => lastResorts.delete(act);
};
