import { createRouter } from '@tanstack/react-router';
import { acrossRoutes, auditRoutes } from './routes/administration.ts';
import { dataRoutes } from './routes/data.ts';
import { deliveryRoutes } from './routes/delivery.ts';
import { account, across, root, signedIn } from './routes/frame.ts';
import { personRoutes } from './routes/person.ts';
import { resultRoutes } from './routes/results.ts';
import type { RouterContext } from './routes/router-context.ts';
import { setupRoutes } from './routes/setup.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { Crash } from './shell/notice.tsx';

const routeTree = root.addChildren([
  ...signInRoutes,
  signedIn.addChildren([
    ...personRoutes,
    account.addChildren([...resultRoutes, ...deliveryRoutes, ...setupRoutes, ...dataRoutes, ...auditRoutes]),
    across.addChildren([...acrossRoutes]),
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
