import { Migration20261128000000 } from './initial.ts';

/** In execution order. Those that releases.json names are never edited. */
export const migrations = [{ name: 'initial', class: Migration20261128000000 }];
