import { ownPath } from '../../own-path.ts';

const name = 'leadback.next';

/** Where the person wants to be after the identity provider. Forgotten by a browser that stores nothing. */
export const nextPath = {
  keep(path: string | undefined): void {
    try {
      if (path === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, path);
    } catch {
      // the person begins at the first screen
    }
  },
  read(): string {
    try {
      return ownPath(sessionStorage.getItem(name)) ?? '/';
    } catch {
      return '/';
    }
  },
};
