import { Migration20261128000000 } from './initial.ts';

/** In execution order. One that a release has brought is never edited; until 1.0.0 is released, there is one. */
export const migrations = [{ name: 'initial', class: Migration20261128000000 }];
