import { createRouter } from '@tanstack/react-router';
import { type RouterContext, routeTree } from './screens/index.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { Crash } from './shell/notice.tsx';

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
