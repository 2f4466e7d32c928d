import { lazyRouteComponent } from '@tanstack/react-router';

/** The screens of the navigation, loaded when they are opened. */
export const screenComponents = {
  overview: lazyRouteComponent(() => import('../screens/overview/overview-screen.tsx'), 'OverviewScreen'),
  undelivered: lazyRouteComponent(() => import('../screens/undelivered/undelivered-screen.tsx'), 'UndeliveredScreen'),
  pages: lazyRouteComponent(() => import('../screens/pages/pages-screen.tsx'), 'PagesScreen'),
  erasure: lazyRouteComponent(() => import('../screens/erasure/erasure-screen.tsx'), 'ErasureScreen'),
  find: lazyRouteComponent(() => import('../screens/find/find-screen.tsx'), 'FindScreen'),
  deliveries: lazyRouteComponent(() => import('../screens/deliveries/deliveries-screen.tsx'), 'DeliveriesScreen'),
  connections: lazyRouteComponent(() => import('../screens/connections/connections-screen.tsx'), 'ConnectionsScreen'),
  keys: lazyRouteComponent(() => import('../screens/keys/keys-screen.tsx'), 'KeysScreen'),
  audit: lazyRouteComponent(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  accounts: lazyRouteComponent(() => import('../screens/accounts/accounts-screen.tsx'), 'AccountsScreen'),
  people: lazyRouteComponent(() => import('../screens/people/people-screen.tsx'), 'PeopleScreen'),
  imports: lazyRouteComponent(() => import('../screens/imports/imports-screen.tsx'), 'ImportsScreen'),
  reconciliation: lazyRouteComponent(
    () => import('../screens/reconciliation/reconciliation-screen.tsx'),
    'ReconciliationScreen',
  ),
  quality: lazyRouteComponent(() => import('../screens/quality/quality-screen.tsx'), 'QualityScreen'),
  webhooks: lazyRouteComponent(() => import('../screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
};

/** Loads the code of a screen while the session is on its way. */
export const preloadScreen = (pathname: string): void => {
  const [, first, , ofAccount] = pathname.split('/');
  const name = first === 'a' ? ofAccount : first;
  for (const [screen, component] of Object.entries(screenComponents)) if (screen === name) void component.preload?.();
};
