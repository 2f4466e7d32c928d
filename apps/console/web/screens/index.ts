import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type Api, sessionQuery } from '../api.ts';
import { parseRange } from '../range/range.ts';
import {
  ownPath,
  parseAuditSearch,
  parseConnectionSearch,
  parseDeliveriesSearch,
  parseFindSearch,
  parseLogSearch,
  parseNewConnectionSearch,
  parseOverviewSearch,
  parseReconciliationSearch,
  parseStorySearch,
} from '../search.ts';
import { NoAccount, NotFound } from '../shell/notice.tsx';
import { Root, Shell } from '../shell/shell.tsx';
import { startFirstRequests } from './overview/queries.ts';

/** What all routes are given. */
export interface RouterContext {
  readonly api: Api;
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Root, notFoundComponent: NotFound });

/** All below needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const { api, client } = context;
    const known = client.getQueryData(sessionQuery(api).queryKey);
    const coming = client.ensureQueryData(sessionQuery(api));
    if (!known || known.person) startFirstRequests(location, api, client);
    preloadScreen(location.pathname);
    const session = await coming;
    if (!session.person) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { session: { ...session, person: session.person } };
  },
});

/** The screens of an account. */
const account = createRoute({ getParentRoute: () => signedIn, path: '/a/$account', component: Shell });

/** Screens that are not within one account. */
const across = createRoute({ getParentRoute: () => signedIn, id: 'across', component: Shell });

const overview = createRoute({
  getParentRoute: () => account,
  path: '/overview',
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(() => import('./overview/index.tsx'), 'OverviewScreen'),
  staticData: {
    menu: {
      group: 'results',
      title: { en: 'Overview', es: 'Resumen', pt: 'Resumo' },
      icon: 'overview',
      needs: 'read',
    },
  },
});

const quality = createRoute({
  getParentRoute: () => account,
  path: '/quality',
  validateSearch: parseRange,
  component: lazyRouteComponent(() => import('./quality/index.tsx'), 'QualityScreen'),
  staticData: {
    menu: {
      group: 'results',
      title: { en: 'Quality', es: 'Calidad', pt: 'Qualidade' },
      icon: 'quality',
      needs: 'read',
    },
  },
});

const find = createRoute({
  getParentRoute: () => account,
  path: '/find',
  validateSearch: parseStorySearch,
  component: lazyRouteComponent(() => import('./find/index.tsx'), 'FindScreen'),
  staticData: {
    menu: {
      group: 'results',
      title: { en: 'Find', es: 'Buscar', pt: 'Buscar' },
      icon: 'search',
      needs: 'read',
    },
  },
});

const undelivered = createRoute({
  getParentRoute: () => account,
  path: '/undelivered',
  component: lazyRouteComponent(() => import('./undelivered/index.tsx'), 'UndeliveredScreen'),
  staticData: {
    menu: {
      group: 'delivery',
      title: { en: 'Undelivered', es: 'Sin entregar', pt: 'Não entregues' },
      icon: 'undelivered',
      needs: 'read',
    },
  },
});

const deliveries = createRoute({
  getParentRoute: () => account,
  path: '/deliveries',
  validateSearch: parseDeliveriesSearch,
  component: lazyRouteComponent(() => import('./deliveries/index.tsx'), 'DeliveriesScreen'),
  staticData: {
    menu: {
      group: 'delivery',
      title: { en: 'Deliveries', es: 'Entregas', pt: 'Entregas' },
      icon: 'deliveries',
      needs: 'read',
    },
  },
});

/** The drawer: the list stays below it, with its filters. */
const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('./deliveries/delivery.tsx'), 'DeliveryDrawer'),
});

const connections = createRoute({
  getParentRoute: () => account,
  path: '/connections',
  component: lazyRouteComponent(() => import('./connections/index.tsx'), 'ConnectionsScreen'),
  staticData: {
    menu: {
      group: 'setup',
      title: { en: 'Connections', es: 'Conexiones', pt: 'Conexões' },
      icon: 'connections',
      needs: 'read',
    },
  },
});

const newConnection = createRoute({
  getParentRoute: () => account,
  path: '/connections/new',
  validateSearch: parseNewConnectionSearch,
  component: lazyRouteComponent(() => import('./connections/new-connection.tsx'), 'NewConnectionScreen'),
});

const connection = createRoute({
  getParentRoute: () => account,
  path: '/connections/$connection',
  validateSearch: parseConnectionSearch,
  component: lazyRouteComponent(() => import('./connections/connection.tsx'), 'ConnectionScreen'),
});

const source = createRoute({
  getParentRoute: () => account,
  path: '/connections/sources/$source',
  component: lazyRouteComponent(() => import('./sources/index.tsx'), 'SourceScreen'),
});

const pages = createRoute({
  getParentRoute: () => account,
  path: '/pages',
  validateSearch: parseFindSearch,
  component: lazyRouteComponent(() => import('./pages/index.tsx'), 'PagesScreen'),
  staticData: {
    menu: {
      group: 'setup',
      title: { en: 'Pages', es: 'Páginas', pt: 'Páginas' },
      icon: 'pages',
      needs: 'read',
    },
  },
});

const page = createRoute({
  getParentRoute: () => account,
  path: '/pages/$page',
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'EditorScreen'),
});

const keys = createRoute({
  getParentRoute: () => account,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/index.tsx'), 'KeysScreen'),
  staticData: {
    menu: {
      group: 'setup',
      title: { en: 'API keys', es: 'Claves de API', pt: 'Chaves de API' },
      icon: 'key',
      needs: 'read',
    },
  },
});

const webhooks = createRoute({
  getParentRoute: () => account,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/index.tsx'), 'WebhooksScreen'),
  staticData: {
    menu: {
      group: 'setup',
      title: { en: 'Webhooks', es: 'Webhooks', pt: 'Webhooks' },
      icon: 'webhooks',
      needs: 'read',
    },
  },
});

const webhook = createRoute({
  getParentRoute: () => account,
  path: '/webhooks/$webhook',
  validateSearch: parseLogSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhook.tsx'), 'WebhookScreen'),
});

/** The drawer: the log stays below it. */
const webhookDelivery = createRoute({
  getParentRoute: () => webhook,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('./webhooks/delivery.tsx'), 'WebhookDeliveryDrawer'),
});

const imports = createRoute({
  getParentRoute: () => account,
  path: '/imports',
  component: lazyRouteComponent(() => import('./imports/index.tsx'), 'ImportsScreen'),
  staticData: {
    menu: {
      group: 'data',
      title: { en: 'Imports', es: 'Importaciones', pt: 'Importações' },
      icon: 'upload',
      needs: 'read',
    },
  },
});

const oneImport = createRoute({
  getParentRoute: () => account,
  path: '/imports/$import',
  component: lazyRouteComponent(() => import('./imports/import.tsx'), 'ImportPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation',
  component: lazyRouteComponent(() => import('./reconciliation/index.tsx'), 'ReconciliationScreen'),
  staticData: {
    menu: {
      group: 'data',
      title: { en: 'Reconciliation', es: 'Conciliación', pt: 'Conciliação' },
      icon: 'compare',
      needs: 'read',
    },
  },
});

const comparison = createRoute({
  getParentRoute: () => account,
  path: '/reconciliation/$reconciliation',
  validateSearch: parseReconciliationSearch,
  component: lazyRouteComponent(() => import('./reconciliation/comparison.tsx'), 'ComparisonPage'),
});

const erasure = createRoute({
  getParentRoute: () => account,
  path: '/erasure',
  component: lazyRouteComponent(() => import('./erasure/index.tsx'), 'ErasureScreen'),
  staticData: {
    menu: {
      group: 'data',
      title: { en: 'Erasure', es: 'Borrado', pt: 'Exclusão' },
      icon: 'erasure',
      needs: 'erase',
    },
  },
});

const accounts = createRoute({
  getParentRoute: () => across,
  path: '/accounts',
  validateSearch: parseFindSearch,
  component: lazyRouteComponent(() => import('./accounts/index.tsx'), 'AccountsScreen'),
  staticData: {
    menu: {
      group: 'administration',
      title: { en: 'Accounts', es: 'Cuentas', pt: 'Contas' },
      icon: 'account',
      needs: 'manage-accounts',
    },
  },
});

const people = createRoute({
  getParentRoute: () => across,
  path: '/people',
  validateSearch: parseFindSearch,
  component: lazyRouteComponent(() => import('./people/index.tsx'), 'PeopleScreen'),
  staticData: {
    menu: {
      group: 'administration',
      title: { en: 'People', es: 'Personas', pt: 'Pessoas' },
      icon: 'people',
      needs: 'manage-people',
    },
  },
});

const auditScreen = lazyRouteComponent(() => import('./audit/index.tsx'), 'AuditScreen');

const audit = createRoute({
  getParentRoute: () => account,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: auditScreen,
  staticData: {
    menu: {
      group: 'administration',
      title: { en: 'Audit log', es: 'Auditoría', pt: 'Auditoria' },
      icon: 'audit',
      needs: 'read-audit',
    },
  },
});

const auditOfAll = createRoute({
  getParentRoute: () => across,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: auditScreen,
});

/** Where somebody begins: the first account, or what there is to do without one. */
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

/** Of the person, so not within an account. */
const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/security',
  component: lazyRouteComponent(() => import('./security/index.tsx'), 'SecurityScreen'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Readonly<Record<string, unknown>>): { next?: string | undefined } => ({
    next: ownPath(next),
  }),
  component: lazyRouteComponent(() => import('./sign-in/index.tsx'), 'SignInScreen'),
});

/** Where the identity provider sends the browser back to. */
const provider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/provider',
  component: lazyRouteComponent(() => import('./sign-in/provider.tsx'), 'ProviderScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./invitation/index.tsx'), 'InvitationScreen'),
});

const ofAccount = [
  overview,
  quality,
  find,
  undelivered,
  deliveries.addChildren([delivery]),
  connections,
  newConnection,
  connection,
  source,
  pages,
  page,
  keys,
  webhooks,
  webhook.addChildren([webhookDelivery]),
  imports,
  oneImport,
  reconciliation,
  comparison,
  erasure,
  audit,
] as const;
const acrossAccounts = [accounts, people, auditOfAll] as const;

/** Loads the code of a screen while the session is on its way. */
const preloadScreen = (pathname: string): void => {
  const path = pathname.replace(/^(\/a)\/[^/]+(\/[^/]+).*/, '$1/$account$2');
  for (const { fullPath, options } of [...ofAccount, ...acrossAccounts]) {
    if (fullPath === path) void options.component?.preload?.();
  }
};

/** All addresses of the console. In the order of the navigation, which shows those with a `menu`. */
export const routeTree = root.addChildren([
  signIn,
  provider,
  invitation,
  signedIn.addChildren([home, security, across.addChildren([...acrossAccounts]), account.addChildren([...ofAccount])]),
]);
