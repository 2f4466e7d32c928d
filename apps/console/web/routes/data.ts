import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseReconciliationSearch } from '../search.ts';
import { account } from './frame.ts';
import { screenComponents } from './screen-components.ts';

const imports = createRoute({ getParentRoute: () => account, path: '/imports', component: screenComponents.imports });

const oneImport = createRoute({
  getParentRoute: () => account,
  path: '/imports/$import',
  component: lazyRouteComponent(() => import('../screens/imports/import.tsx'), 'ImportPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation',
  component: screenComponents.reconciliation,
});

const comparison = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation/$reconciliation',
  validateSearch: parseReconciliationSearch,
  component: lazyRouteComponent(() => import('../screens/reconciliation/comparison.tsx'), 'ComparisonPage'),
});

const erasure = createRoute({ getParentRoute: () => account, path: '/erasure', component: screenComponents.erasure });

export const dataRoutes = [imports, oneImport, reconciliation, comparison, erasure] as const;
