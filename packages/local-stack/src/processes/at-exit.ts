const lastResorts = new Set<() => void>();

process.on('exit', () => {
  for (const act of lastResorts) act();
});

/** Has something done when this process exits, unless it is called off before by the function given back. */
export const atExit = (act: () => void): (() => void) => {
  lastResorts.add(act);
  return () => lastResorts.delete(act);
};
