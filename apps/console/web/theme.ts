import { kept } from './kept.ts';
import { createStore, type Store } from './store.ts';

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
