import { connectionsPage } from './connections.ts';
import { glossaryPage } from './glossary.ts';
import { incidentsOfDeliveriesPage, incidentsPage } from './incidents.ts';
import { limitsPage } from './limits.ts';
import { metricsPage } from './metrics.ts';
import { permissionsPage } from './permissions.ts';
import { reasonsPage } from './reasons.ts';
import { settingsPage } from './settings.ts';

/** The generated documents by path. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'docs/reference/connections.md': connectionsPage(),
  'docs/reference/glossary.md': glossaryPage(),
  'docs/reference/incidents.md': incidentsPage(),
  'docs/reference/incidents-of-deliveries.md': incidentsOfDeliveriesPage(),
  'docs/reference/limits.md': limitsPage(),
  'docs/reference/metrics.md': metricsPage(),
  'docs/reference/permissions.md': permissionsPage(),
  'docs/reference/reasons.md': reasonsPage(),
  'docs/reference/settings.md': settingsPage(),
});
