import { Migration20261121230000 } from './2026-11-21-account-metrics.ts';
import { Migration20261121120000 } from './2026-11-21-api-contract.ts';
import { Migration20261121231000 } from './2026-11-21-attempt-partitions.ts';
import { Migration20261121220000 } from './2026-11-21-feedback.ts';
import { Migration20261122140000 } from './2026-11-22-imports.ts';
import { Migration20261121180000 } from './2026-11-21-landing-page.ts';
import { Migration20261121230500 } from './2026-11-21-lead-trace.ts';
import { Migration20261121000000 } from './2026-11-21-main-job.ts';
import { Migration20261122165000 } from './2026-11-22-adjustments.ts';
import { Migration20261122191000 } from './2026-11-22-bounded-tries.ts';
import { Migration20261122220000 } from './2026-11-22-console.ts';
import { Migration20261122225000 } from './2026-11-22-issued-keys.ts';
import { Migration20261122226000 } from './2026-11-22-console-files.ts';
import { Migration20261122160000 } from './2026-11-22-conversion-list.ts';
import { Migration20261122130000 } from './2026-11-22-metric-lookups.ts';
import { Migration20261122180000 } from './2026-11-22-more-events.ts';
import { Migration20261122120000 } from './2026-11-22-parcels.ts';
import { Migration20261122160500 } from './2026-11-22-quality.ts';
import { Migration20261122170000 } from './2026-11-22-reconciliation.ts';
import { Migration20261122190000 } from './2026-11-22-truthful-adjustments.ts';
import { Migration20261122200000 } from './2026-11-22-webhooks.ts';
import { Migration20261122000000 } from './2026-11-22-truthful-events.ts';

/** In execution order. A migration that has landed is never edited. */
export const migrations = [
  { name: '2026-11-21-main-job', class: Migration20261121000000 },
  { name: '2026-11-21-api-contract', class: Migration20261121120000 },
  { name: '2026-11-21-landing-page', class: Migration20261121180000 },
  { name: '2026-11-21-feedback', class: Migration20261121220000 },
  { name: '2026-11-21-account-metrics', class: Migration20261121230000 },
  { name: '2026-11-21-lead-trace', class: Migration20261121230500 },
  { name: '2026-11-21-attempt-partitions', class: Migration20261121231000 },
  { name: '2026-11-22-truthful-events', class: Migration20261122000000 },
  { name: '2026-11-22-parcels', class: Migration20261122120000 },
  { name: '2026-11-22-metric-lookups', class: Migration20261122130000 },
  { name: '2026-11-22-imports', class: Migration20261122140000 },
  { name: '2026-11-22-conversion-list', class: Migration20261122160000 },
  { name: '2026-11-22-quality', class: Migration20261122160500 },
  { name: '2026-11-22-adjustments', class: Migration20261122165000 },
  { name: '2026-11-22-reconciliation', class: Migration20261122170000 },
  { name: '2026-11-22-more-events', class: Migration20261122180000 },
  { name: '2026-11-22-truthful-adjustments', class: Migration20261122190000 },
  { name: '2026-11-22-bounded-tries', class: Migration20261122191000 },
  { name: '2026-11-22-webhooks', class: Migration20261122200000 },
  { name: '2026-11-22-console', class: Migration20261122220000 },
  { name: '2026-11-22-issued-keys', class: Migration20261122225000 },
  { name: '2026-11-22-console-files', class: Migration20261122226000 },
];
