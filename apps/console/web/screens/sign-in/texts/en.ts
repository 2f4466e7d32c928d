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
};
