export const passkeyEn = {
  signIn: 'Sign in with a passkey',
  or: 'or',
  confirm: 'Confirm with a passkey',
  notGiven: 'No passkey was used. You closed the dialog of the browser, or it took too long. Try again.',
  isKnown: 'This device has a passkey of yours already. Add one on another device.',
  refused: 'This passkey is unknown or was removed. Sign in another way, then check your passkeys in Security.',
};

export type PasskeyTexts = typeof passkeyEn;
