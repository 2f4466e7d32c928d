import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseConnectionSearch, parseFindSearch, parseLogSearch, parseNewConnectionSearch } from '../search.ts';
import { account } from './frame.ts';
import { screenComponents } from './screen-components.ts';

const connections = createRoute({
  getParentRoute: () => account,
  path: '/connections',
  component: screenComponents.connections,
});

const newConnection = createRoute({
  getParentRoute: () => account,
  path: '/connections/new',
  validateSearch: parseNewConnectionSearch,
  component: lazyRouteComponent(() => import('../screens/connections/new-connection.tsx'), 'NewConnectionScreen'),
});

const connection = createRoute({
  getParentRoute: () => account,
  path: '/connections/$connection',
  validateSearch: parseConnectionSearch,
  component: lazyRouteComponent(() => import('../screens/connections/connection.tsx'), 'ConnectionScreen'),
});

const pages = createRoute({
  getParentRoute: () => account,
  path: '/pages',
  validateSearch: parseFindSearch,
  component: screenComponents.pages,
});

const page = createRoute({
  getParentRoute: () => account,
  path: '/pages/$page',
  component: lazyRouteComponent(() => import('../screens/pages/editor.tsx'), 'EditorScreen'),
});

const keys = createRoute({ getParentRoute: () => account, path: '/keys', component: screenComponents.keys });

const webhooks = createRoute({
  getParentRoute: () => account,
  path: '/webhooks',
  component: screenComponents.webhooks,
});

const webhook = createRoute({
  getParentRoute: () => account,
  path: '/webhooks/$webhook',
  validateSearch: parseLogSearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});

/** The drawer: the log stays below it. */
const webhookDelivery = createRoute({
  getParentRoute: () => webhook,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('../screens/webhooks/delivery.tsx'), 'WebhookDeliveryDrawer'),
});

export const setupRoutes = [
  connections,
  newConnection,
  connection,
  pages,
  page,
  keys,
  webhooks,
  webhook.addChildren([webhookDelivery]),
] as const;
