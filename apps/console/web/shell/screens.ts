import type { IconName } from '../parts/icon.tsx';

/** The screens of an account, in the order of the navigation. */
export const screens = [
  { name: 'overview', to: '/a/$account/overview', icon: 'overview' },
  { name: 'undelivered', to: '/a/$account/undelivered', icon: 'undelivered' },
  { name: 'deliveries', to: '/a/$account/deliveries', icon: 'deliveries' },
] as const satisfies readonly { name: string; to: string; icon: IconName }[];
