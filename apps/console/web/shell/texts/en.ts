import type { Role } from '../../../src/contract/session.ts';
import type { groups } from '../screens.ts';
import type { Theme } from '../../theme.ts';

export interface ShellTexts {
  readonly skip: string;
  readonly screens: string;
  readonly overview: string;
  readonly find: string;
  readonly undelivered: string;
  readonly deliveries: string;
  readonly connections: string;
  readonly apiKeys: string;
  readonly audit: string;
  readonly accounts: string;
  readonly people: string;
  readonly imports: string;
  readonly reconciliation: string;
  readonly quality: string;
  readonly webhooks: string;
  readonly pages: string;
  readonly erasure: string;
  readonly more: string;
  readonly groups: Readonly<Record<(typeof groups)[number], string>>;
  readonly account: string;
  readonly suspended: string;
  readonly suspendedNote: string;
  readonly guessedCodes: (count: string, since: string) => string;
  readonly guessedCodesChange: string;
  readonly guessedCodesRead: string;
  readonly findAccount: string;
  readonly language: string;
  readonly theme: string;
  readonly themes: Readonly<Record<Theme, string>>;
  readonly roles: Readonly<Record<Role, string>>;
  readonly menu: string;
  readonly security: string;
  readonly signOut: string;
  readonly palette: string;
  readonly paletteHint: string;
  readonly paletteEmpty: string;
  readonly keys: string;
  readonly switchTo: (account: string) => string;
  readonly noAccount: string;
  readonly noAccountText: string;
}

export const shellEn: ShellTexts = {
  skip: 'Skip to content',
  screens: 'Screens',
  overview: 'Overview',
  find: 'Find',
  undelivered: 'Undelivered',
  deliveries: 'Deliveries',
  connections: 'Connections',
  apiKeys: 'API keys',
  audit: 'Audit log',
  accounts: 'Accounts',
  people: 'People',
  imports: 'Imports',
  reconciliation: 'Reconciliation',
  quality: 'Quality',
  webhooks: 'Webhooks',
  pages: 'Pages',
  erasure: 'Erasure',
  more: 'More',
  groups: { results: 'Results', delivery: 'Delivery', setup: 'Setup', data: 'Data', administration: 'Administration' },
  account: 'Account',
  suspended: 'suspended',
  suspendedNote: 'This account is suspended. Its API keys do not work, and nothing new is registered.',
  guessedCodes: (count, since) =>
    `Somebody who knew your password gave wrong codes (${count}) since ${since}. If that was not you, change your password now.`,
  guessedCodesChange: 'Change password',
  guessedCodesRead: 'I have read this',
  findAccount: 'Find an account',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  roles: {
    admin: 'Administrator',
    operator: 'Operator',
    marketer: 'Marketer',
    'partner-admin': 'Partner administrator',
    'partner-viewer': 'Partner viewer',
  },
  menu: 'Menu',
  security: 'Security',
  signOut: 'Sign out',
  palette: 'Go to…',
  paletteHint: 'Type a screen, an account or a setting',
  paletteEmpty: 'Nothing has this name. Try a shorter word.',
  keys: '/ find · j k rows · Enter open · Esc close',
  switchTo: (account) => `Account: ${account}`,
  noAccount: 'No account yet',
  noAccountText: 'Your sign-in works, but it has no account. Ask the person who invited you for access to one.',
};
