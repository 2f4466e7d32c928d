import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { Api } from './api/api.ts';
import { sessionQuery } from './api/use-api.ts';
import { parseConnectionSearch, parseNewConnectionSearch } from './screens/connections/search.ts';
import { parseAuditSearch } from './screens/audit/search.ts';
import { parseDeliveriesSearch } from './screens/deliveries/search.ts';
import { parseStorySearch } from './screens/find/search.ts';
import { parseOverviewSearch } from './screens/overview/search.ts';
import { parseFindSearch, parseSearch, stringifySearch, textOf } from './search-parameters.ts';
import { parseReconciliationSearch } from './screens/reconciliation/search.ts';
import { parseRange } from './range/presets.ts';
import { parseLogSearch } from './screens/webhooks/search.ts';
import { Crash } from './shell/crash.tsx';
import { NoAccount } from './shell/no-account.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly api: Api;
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Root, notFoundComponent: NotFound });

/** A path of this application; a link to another host is not followed. */
const ownPath = (path: unknown): string | undefined =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : undefined;

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Readonly<Record<string, unknown>>): { next?: string | undefined } => ({
    next: ownPath(next),
  }),
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./screens/invitation/invitation-screen.tsx'), 'InvitationScreen'),
});

const screens = {
  overview: lazyRouteComponent(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
  undelivered: lazyRouteComponent(() => import('./screens/undelivered/undelivered-screen.tsx'), 'UndeliveredScreen'),
  pages: lazyRouteComponent(() => import('./screens/pages/pages-screen.tsx'), 'PagesScreen'),
  erasure: lazyRouteComponent(() => import('./screens/erasure/erasure-screen.tsx'), 'ErasureScreen'),
  find: lazyRouteComponent(() => import('./screens/find/find-screen.tsx'), 'FindScreen'),
  deliveries: lazyRouteComponent(() => import('./screens/deliveries/deliveries-screen.tsx'), 'DeliveriesScreen'),
  connections: lazyRouteComponent(() => import('./screens/connections/connections-screen.tsx'), 'ConnectionsScreen'),
  keys: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
  audit: lazyRouteComponent(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
  accounts: lazyRouteComponent(() => import('./screens/accounts/accounts-screen.tsx'), 'AccountsScreen'),
  people: lazyRouteComponent(() => import('./screens/people/people-screen.tsx'), 'PeopleScreen'),
  imports: lazyRouteComponent(() => import('./screens/imports/imports-screen.tsx'), 'ImportsScreen'),
  reconciliation: lazyRouteComponent(
    () => import('./screens/reconciliation/reconciliation-screen.tsx'),
    'ReconciliationScreen',
  ),
  quality: lazyRouteComponent(() => import('./screens/quality/quality-screen.tsx'), 'QualityScreen'),
  webhooks: lazyRouteComponent(() => import('./screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
};

/** Loads the code of a screen while the session is on its way. */
const preloadScreen = (pathname: string): void => {
  const [, first, , ofAccount] = pathname.split('/');
  const name = first === 'a' ? ofAccount : first;
  for (const [screen, component] of Object.entries(screens)) if (screen === name) void component.preload?.();
};

/** All below needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { api, client }, location }) => {
    preloadScreen(location.pathname);
    const session = await client.ensureQueryData(sessionQuery(api));
    if (!session.person) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { session: { ...session, person: session.person } };
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const [first] = session.accounts;
    if (first) throw redirect({ to: '/a/$account/overview', params: { account: String(first.id) }, replace: true });
    // nothing to see yet, but something to do
    if (session.person.may.includes('manage-accounts')) throw redirect({ to: '/accounts', replace: true });
  },
  component: NoAccount,
});

const account = createRoute({ getParentRoute: () => signedIn, path: '/a/$account', component: Shell });

const overview = createRoute({
  getParentRoute: () => account,
  path: '/overview',
  validateSearch: parseOverviewSearch,
  component: screens.overview,
});

const undelivered = createRoute({
  getParentRoute: () => account,
  path: '/undelivered',
  component: screens.undelivered,
});

const deliveries = createRoute({
  getParentRoute: () => account,
  path: '/deliveries',
  validateSearch: parseDeliveriesSearch,
  component: screens.deliveries,
});

const find = createRoute({
  getParentRoute: () => account,
  path: '/find',
  validateSearch: parseStorySearch,
  component: screens.find,
});

const erasure = createRoute({ getParentRoute: () => account, path: '/erasure', component: screens.erasure });

/** The drawer: the list stays below it, with its filters. */
const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('./screens/deliveries/delivery-drawer.tsx'), 'DeliveryDrawer'),
});

const connections = createRoute({
  getParentRoute: () => account,
  path: '/connections',
  component: screens.connections,
});

const newConnection = createRoute({
  getParentRoute: () => account,
  path: '/connections/new',
  validateSearch: parseNewConnectionSearch,
  component: lazyRouteComponent(() => import('./screens/connections/new-connection-screen.tsx'), 'NewConnectionScreen'),
});

const connection = createRoute({
  getParentRoute: () => account,
  path: '/connections/$connection',
  validateSearch: parseConnectionSearch,
  component: lazyRouteComponent(() => import('./screens/connections/connection-screen.tsx'), 'ConnectionScreen'),
});

const keys = createRoute({ getParentRoute: () => account, path: '/keys', component: screens.keys });

const audit = createRoute({
  getParentRoute: () => account,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screens.audit,
});

/** Screens that are not within one account. */
const across = createRoute({ getParentRoute: () => signedIn, id: 'across', component: Shell });

const accounts = createRoute({
  getParentRoute: () => across,
  path: '/accounts',
  validateSearch: parseFindSearch,
  component: screens.accounts,
});

const people = createRoute({
  getParentRoute: () => across,
  path: '/people',
  validateSearch: parseFindSearch,
  component: screens.people,
});

const auditOfAll = createRoute({
  getParentRoute: () => across,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screens.audit,
});

const imports = createRoute({ getParentRoute: () => account, path: '/imports', component: screens.imports });

const oneImport = createRoute({
  getParentRoute: () => account,
  path: '/imports/$import',
  component: lazyRouteComponent(() => import('./screens/imports/import-page.tsx'), 'ImportPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation',
  component: screens.reconciliation,
});

const comparison = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation/$reconciliation',
  validateSearch: parseReconciliationSearch,
  component: lazyRouteComponent(() => import('./screens/reconciliation/comparison-page.tsx'), 'ComparisonPage'),
});

const quality = createRoute({
  getParentRoute: () => account,
  path: '/quality',
  validateSearch: parseRange,
  component: screens.quality,
});

const webhooks = createRoute({ getParentRoute: () => account, path: '/webhooks', component: screens.webhooks });

const webhook = createRoute({
  getParentRoute: () => account,
  path: '/webhooks/$webhook',
  validateSearch: parseLogSearch,
  component: lazyRouteComponent(() => import('./screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
});

/** The drawer: the log stays below it. */
const webhookDelivery = createRoute({
  getParentRoute: () => webhook,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('./screens/webhooks/delivery-drawer.tsx'), 'WebhookDeliveryDrawer'),
});

const pages = createRoute({
  getParentRoute: () => account,
  path: '/pages',
  validateSearch: ({ find }: Readonly<Record<string, unknown>>): { find?: string | undefined } => ({
    find: textOf(find),
  }),
  component: screens.pages,
});

const page = createRoute({
  getParentRoute: () => account,
  path: '/pages/$page',
  component: lazyRouteComponent(() => import('./screens/pages/editor-screen.tsx'), 'EditorScreen'),
});

const routeTree = root.addChildren([
  signIn,
  invitation,
  signedIn.addChildren([
    home,
    account.addChildren([
      overview,
      find,
      undelivered,
      deliveries.addChildren([delivery]),
      pages,
      page,
      connections,
      newConnection,
      connection,
      keys,
      quality,
      webhooks,
      webhook.addChildren([webhookDelivery]),
      imports,
      oneImport,
      reconciliation,
      comparison,
      erasure,
      audit,
    ]),
    across.addChildren([accounts, people, auditOfAll]),
  ]),
]);

export const createAppRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
