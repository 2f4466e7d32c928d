import type { Role } from '../../../../src/contract/session.ts';

export interface InvitationTexts {
  readonly title: string;
  readonly intro: (email: string, role: string) => string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly accounts: string;
  readonly until: (time: string) => string;
  readonly step: (step: number, steps: number) => string;
  readonly password: string;
  readonly passwordGuessable: string;
  readonly passwordHint: (min: number) => string;
  readonly next: string;
  readonly factorTitle: string;
  readonly scan: string;
  readonly qr: string;
  readonly secret: string;
  readonly code: string;
  readonly codeHint: string;
  readonly finish: string;
  readonly codeWrong: string;
  readonly invalidTitle: string;
  readonly invalid: string;
  readonly toSignIn: string;
}

export const invitationEn: InvitationTexts = {
  title: 'Welcome to Leadback',
  intro: (email, role) => `You were invited as ${role}, with the email ${email}.`,
  roles: {
    admin: 'administrator',
    operator: 'operator',
    marketer: 'marketer',
    'partner-admin': 'partner administrator',
    'partner-viewer': 'partner viewer',
  },
  accounts: 'Accounts',
  until: (time) => `This link works once, until ${time}.`,
  step: (step, steps) => `Step ${step} of ${steps}`,
  password: 'Choose a password',
  passwordGuessable: 'This password is easy to guess. Take some words that nobody would put together.',
  passwordHint: (min) =>
    `At least ${min} characters. A sentence that only you know is easy to remember and hard to guess.`,
  next: 'Continue',
  factorTitle: 'Set up your second factor',
  scan: 'Scan the picture with an authenticator app, such as the one of your password manager. Then enter the code that the app shows.',
  qr: 'QR code for your authenticator app',
  secret: 'No camera? Enter this key in the app:',
  code: 'Code',
  codeHint: '6 digits. The app shows a new code every 30 seconds.',
  finish: 'Finish and sign in',
  codeWrong: 'This code is wrong or was replaced. Enter the one that the app shows now.',
  invalidTitle: 'This invitation does not work',
  invalid: 'It was used, it has expired, or the link is not whole. Ask the person who invited you for a new one.',
  toSignIn: 'Go to sign-in',
};
