import { Migration20261129100000 } from './2026-11-29-server-leads.ts';
import { Migration20261129150000 } from './2026-11-29-background-clicks.ts';
import { Migration20261129110000 } from './2026-11-29-script-pages.ts';
import { Migration20261129120000 } from './2026-11-29-own-domains.ts';
import { Migration20261129130000 } from './2026-11-29-former-slugs.ts';
import { Migration20261129155000 } from './2026-11-29-remembered-clicks.ts';
import { Migration20261129160000 } from './2026-11-29-sources.ts';
import { Migration20261128000000 } from './initial.ts';

/** In execution order. Those that releases.json names are never edited. */
export const migrations = [
  { name: 'initial', class: Migration20261128000000 },
  { name: '2026-11-29-server-leads', class: Migration20261129100000 },
  { name: '2026-11-29-script-pages', class: Migration20261129110000 },
  { name: '2026-11-29-own-domains', class: Migration20261129120000 },
  { name: '2026-11-29-former-slugs', class: Migration20261129130000 },
  { name: '2026-11-29-background-clicks', class: Migration20261129150000 },
  { name: '2026-11-29-remembered-clicks', class: Migration20261129155000 },
  { name: '2026-11-29-sources', class: Migration20261129160000 },
];
