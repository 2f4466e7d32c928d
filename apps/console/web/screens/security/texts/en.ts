export interface SecurityTexts {
  readonly title: string;
  readonly intro: (email: string) => string;
  readonly back: string;
  readonly passkeys: string;
  readonly noPasskeys: string;
  readonly noPasskeysText: string;
  readonly oldBrowser: string;
  readonly unsupported: string;
  readonly add: string;
  readonly added: (name: string) => string;
  readonly name: string;
  readonly nameHint: string;
  readonly addedAt: string;
  readonly usedAt: string;
  readonly neverUsed: string;
  readonly actions: string;
  readonly rename: string;
  readonly renameNamed: (name: string) => string;
  readonly renameTitle: string;
  readonly renamed: (name: string) => string;
  readonly save: string;
  readonly remove: string;
  readonly removeNamed: (name: string) => string;
  readonly removeTitle: (name: string) => string;
  readonly removeText: string;
  readonly removed: (name: string) => string;
  readonly sessions: string;
  readonly device: string;
  readonly unknownDevice: string;
  readonly current: string;
  readonly seenAt: string;
  readonly startedAt: string;
  readonly end: string;
  readonly endNamed: (device: string) => string;
  readonly ended: string;
  readonly endOthers: string;
  readonly endedOthers: string;
  readonly password: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly passwordGuessable: string;
  readonly passwordHint: (min: number) => string;
  readonly passwordWrong: string;
  readonly changePassword: string;
  readonly passwordChanged: string;
}

export const securityEn: SecurityTexts = {
  title: 'Security',
  intro: (email) => `How you sign in as ${email}, and where you are signed in.`,
  back: 'Back',
  passkeys: 'Passkeys',
  noPasskeys: 'No passkey yet',
  noPasskeysText:
    'Sign in with your fingerprint, your face or the PIN of your device, without password and code. Nobody can guess or copy a passkey.',
  oldBrowser: 'This browser has no passkeys. Open this page in Chrome or Edge 129, Firefox 119, Safari 18.4, or newer.',
  unsupported:
    'Passkeys need a host name, and this console is opened by an IP address. Ask your operator for its name.',
  add: 'Add a passkey',
  added: (name) => `Passkey added: ${name}`,
  name: 'Name',
  nameHint: 'Such as the device that keeps it.',
  addedAt: 'Added',
  usedAt: 'Last used',
  neverUsed: 'Not yet',
  actions: 'Actions',
  rename: 'Rename',
  renameNamed: (name) => `Rename ${name}`,
  renameTitle: 'Rename the passkey',
  renamed: (name) => `Renamed: ${name}`,
  save: 'Save',
  remove: 'Remove',
  removeNamed: (name) => `Remove ${name}`,
  removeTitle: (name) => `Remove “${name}”?`,
  removeText:
    'Nobody can sign in with this passkey any more. Delete it from your device or password manager as well. Sessions that it started stay open.',
  removed: (name) => `Passkey removed: ${name}`,
  sessions: 'Sessions',
  device: 'Device',
  unknownDevice: 'Unknown device',
  current: 'This session',
  seenAt: 'Last seen',
  startedAt: 'Started',
  end: 'End',
  endNamed: (device) => `End the session ${device}`,
  ended: 'The session has ended.',
  endOthers: 'End all others',
  endedOthers: 'All other sessions have ended.',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordGuessable: 'This password is easy to guess. Take some words that nobody would put together.',
  passwordHint: (min) => `${min} characters or more. A sentence is easy to remember.`,
  passwordWrong: 'The current password is wrong.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. All other sessions have ended.',
};
