export interface SignInTexts {
  readonly title: string;
  readonly intro: string;
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly codeHint: string;
  readonly submit: string;
  readonly wrong: string;
  readonly locked: string;
  readonly provider: (name: string) => string;
  readonly providerUnavailable: (name: string) => string;
  readonly providerGone: string;
  readonly providerRefused: string;
  readonly providerCode: string;
  readonly codeTitle: string;
  readonly codeUsed: string;
  readonly codeWrong: string;
  readonly otherWay: string;
}

export const signInEn: SignInTexts = {
  title: 'Sign in',
  intro: 'See what your clicks earned, and whether every sale was delivered.',
  email: 'Email',
  password: 'Password',
  code: 'Code',
  codeHint: 'The 6 digits that your authenticator app shows now.',
  submit: 'Sign in',
  wrong: 'Email, password or code is wrong. Each code works once: wait for the next one.',
  locked: 'Too many wrong attempts. Wait some minutes, then try again.',
  provider: (name) => `Sign in with ${name}`,
  providerUnavailable: (name) => `${name} does not respond. Sign in with your password or a passkey, or try again.`,
  providerGone: 'Your company’s sign-in does not respond. Sign in with your password or a passkey, or try again.',
  providerRefused:
    'Your company’s sign-in did not work here. Nobody with this email was invited, its address is not verified, or it took too long.',
  providerCode: 'Your company’s sign-in worked. This console needs a second factor as well.',
  codeTitle: 'Enter a code',
  codeUsed: 'This code was used already. Wait for the next one.',
  codeWrong: 'The code is wrong or was used before. Wait for the next one.',
  otherWay: 'Sign in another way',
};
