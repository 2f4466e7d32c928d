import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ownPath } from '../search.ts';
import { root } from './frame.ts';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Readonly<Record<string, unknown>>): { next?: string | undefined } => ({
    next: ownPath(next),
  }),
  component: lazyRouteComponent(() => import('../screens/sign-in/index.tsx'), 'SignInScreen'),
});

/** Where the identity provider sends the browser back to. */
const provider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/provider',
  component: lazyRouteComponent(() => import('../screens/sign-in/provider.tsx'), 'ProviderScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../screens/invitation/index.tsx'), 'InvitationScreen'),
});

export const signInRoutes = [signIn, provider, invitation] as const;
