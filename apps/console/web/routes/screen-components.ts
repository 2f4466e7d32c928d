import { lazyRouteComponent } from '@tanstack/react-router';

/** The screens of the navigation, loaded when they are opened. */
export const screenComponents = {
  overview: lazyRouteComponent(() => import('../screens/overview/index.tsx'), 'OverviewScreen'),
  undelivered: lazyRouteComponent(() => import('../screens/undelivered/index.tsx'), 'UndeliveredScreen'),
  pages: lazyRouteComponent(() => import('../screens/pages/index.tsx'), 'PagesScreen'),
  erasure: lazyRouteComponent(() => import('../screens/erasure/index.tsx'), 'ErasureScreen'),
  find: lazyRouteComponent(() => import('../screens/find/index.tsx'), 'FindScreen'),
  deliveries: lazyRouteComponent(() => import('../screens/deliveries/index.tsx'), 'DeliveriesScreen'),
  connections: lazyRouteComponent(() => import('../screens/connections/index.tsx'), 'ConnectionsScreen'),
  keys: lazyRouteComponent(() => import('../screens/keys/index.tsx'), 'KeysScreen'),
  audit: lazyRouteComponent(() => import('../screens/audit/index.tsx'), 'AuditScreen'),
  accounts: lazyRouteComponent(() => import('../screens/accounts/index.tsx'), 'AccountsScreen'),
  people: lazyRouteComponent(() => import('../screens/people/index.tsx'), 'PeopleScreen'),
  imports: lazyRouteComponent(() => import('../screens/imports/index.tsx'), 'ImportsScreen'),
  reconciliation: lazyRouteComponent(() => import('../screens/reconciliation/index.tsx'), 'ReconciliationScreen'),
  quality: lazyRouteComponent(() => import('../screens/quality/index.tsx'), 'QualityScreen'),
  webhooks: lazyRouteComponent(() => import('../screens/webhooks/index.tsx'), 'WebhooksScreen'),
};

/** Loads the code of a screen while the session is on its way. */
export const preloadScreen = (pathname: string): void => {
  const [, first, , ofAccount] = pathname.split('/');
  const name = first === 'a' ? ofAccount : first;
  for (const [screen, component] of Object.entries(screenComponents)) if (screen === name) void component.preload?.();
};
