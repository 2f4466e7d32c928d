/** The URL of a module that sets the clock of an app that imports it: by so many milliseconds, or jumping each second. */
export const wrongClock = (...aheadMs: readonly number[]): string => {
  const module = new URL('./shift-clock.ts', import.meta.url);
  module.search = new URLSearchParams({ aheadMs: aheadMs.join(',') }).toString();
  return module.href;
};
