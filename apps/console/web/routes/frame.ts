import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../api.ts';
import { NotFound } from '../shell/notice.tsx';
import { Root, Shell } from '../shell/shell.tsx';
import { startFirstRequests } from './first-requests.ts';
import type { RouterContext } from './router-context.ts';
import { preloadScreen } from './screen-components.ts';

export const root = createRootRouteWithContext<RouterContext>()({ component: Root, notFoundComponent: NotFound });

/** All below needs a session. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const { api, client } = context;
    const known = client.getQueryData(sessionQuery(api).queryKey);
    const coming = client.ensureQueryData(sessionQuery(api));
    if (!known || known.person) startFirstRequests(location, context);
    preloadScreen(location.pathname);
    const session = await coming;
    if (!session.person) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { session: { ...session, person: session.person } };
  },
});

/** The screens of an account. */
export const account = createRoute({ getParentRoute: () => signedIn, path: '/a/$account', component: Shell });

/** Screens that are not within one account. */
export const across = createRoute({ getParentRoute: () => signedIn, id: 'across', component: Shell });
