import { useSyncExternalStore } from 'react';

/** A value outside of components, for what starts outside of them, such as a response. */
interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(store.subscribe, store.get);

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

/** What a person looked for elsewhere, for the screen *Find*. Not in the URL, which may be shared: it may be an email. */
export const textToFind = createStore<string | undefined>(undefined);

interface Kept {
  readonly read: () => string | null;
  readonly write: (value: string | null) => void;
}

/** A choice that the browser remembers. In a browser that stores nothing, it lasts until the page is closed. */
export const kept = (name: string): Kept => {
  let value: string | null = null;
  return {
    read: () => {
      try {
        return localStorage.getItem(name) ?? value;
      } catch {
        return value;
      }
    },
    write: (chosen) => {
      value = chosen;
      try {
        if (chosen === null) localStorage.removeItem(name);
        else localStorage.setItem(name, chosen);
      } catch {
        // the value above remains
      }
    },
  };
};

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storage = kept('leadback.theme');

/** The style sheet follows the system unless the root element names a theme. */
const apply = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

const store = createStore<Theme>(themes.find((theme) => theme === storage.read()) ?? 'system');
apply(store.get());

export const currentTheme: Pick<Store<Theme>, 'get' | 'subscribe'> = store;

export const chooseTheme = (theme: Theme): void => {
  storage.write(theme === 'system' ? null : theme);
  apply(theme);
  store.set(theme);
};
