import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NoAccount } from '../shell/notice.tsx';
import { signedIn } from './frame.ts';

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
  component: lazyRouteComponent(() => import('../screens/security/index.tsx'), 'SecurityScreen'),
});

export const personRoutes = [home, security] as const;
