import { createStore } from './store.ts';

/** Whether the server refused a request because the session has ended. */
export const sessionEnded = createStore(false);

/** Who waits for the second factor: `true` once it was given. */
export const secondFactorAsked = createStore<((isGiven: boolean) => void) | undefined>(undefined);

/** Requests that need it at the same time share one question. */
export const askSecondFactor = (): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const before = secondFactorAsked.get();
  secondFactorAsked.set((isGiven) => {
    secondFactorAsked.set(undefined);
    before?.(isGiven);
    resolve(isGiven);
  });
  return promise;
};
