import type { Capability } from '../../src/contract/capability.ts';
import type { IconName } from '../parts/button.tsx';

/** What people come for, in the order of the navigation. */
export const screenGroups = ['results', 'delivery', 'setup', 'data', 'administration'] as const;

interface Screen {
  readonly group: (typeof screenGroups)[number];
  readonly name: string;
  readonly to: string;
  readonly icon: IconName;
  /** Shown only to those who may do this. */
  readonly needs: Capability;
}

/** The screens, in the order of the navigation: of an account, and across accounts. */
export const screenLinks = [
  { group: 'results', name: 'overview', to: '/a/$account/overview', icon: 'overview', needs: 'read' },
  { group: 'results', name: 'quality', to: '/a/$account/quality', icon: 'quality', needs: 'read' },
  { group: 'results', name: 'find', to: '/a/$account/find', icon: 'search', needs: 'read' },
  { group: 'delivery', name: 'undelivered', to: '/a/$account/undelivered', icon: 'undelivered', needs: 'read' },
  { group: 'delivery', name: 'deliveries', to: '/a/$account/deliveries', icon: 'deliveries', needs: 'read' },
  { group: 'setup', name: 'connections', to: '/a/$account/connections', icon: 'connections', needs: 'read' },
  { group: 'setup', name: 'pages', to: '/a/$account/pages', icon: 'pages', needs: 'read' },
  { group: 'setup', name: 'apiKeys', to: '/a/$account/keys', icon: 'key', needs: 'read' },
  { group: 'setup', name: 'webhooks', to: '/a/$account/webhooks', icon: 'webhooks', needs: 'read' },
  { group: 'data', name: 'imports', to: '/a/$account/imports', icon: 'upload', needs: 'read' },
  { group: 'data', name: 'reconciliation', to: '/a/$account/reconciliation', icon: 'compare', needs: 'read' },
  { group: 'data', name: 'erasure', to: '/a/$account/erasure', icon: 'erasure', needs: 'erase' },
  { group: 'administration', name: 'accounts', to: '/accounts', icon: 'account', needs: 'manage-accounts' },
  { group: 'administration', name: 'people', to: '/people', icon: 'people', needs: 'manage-people' },
  { group: 'administration', name: 'audit', to: '/a/$account/audit', icon: 'audit', needs: 'read-audit' },
] as const satisfies readonly Screen[];

export type ScreenLink = (typeof screenLinks)[number];

/** Whether a screen is one of an account; others are across accounts. */
export const isOfAccount = ({ to }: ScreenLink): boolean => to.startsWith('/a/');
