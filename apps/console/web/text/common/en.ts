/** Texts that all screens share. */
export const commonEn = {
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  clear: 'Clear',
  remove: (what: string) => `Remove filter: ${what}`,
  loading: 'Loading…',
  loadMore: 'Load more',
  requestId: 'Request id',
  failed: 'The console could not load this',
  offline: 'No connection to the server. Check your network and try again.',
  unexpected: 'The server reported an internal error. If it happens again, give support the request id.',
  busy: 'Too many requests. Wait a minute, then try again.',
  unavailable: 'The server is unavailable. Try again in a minute.',
  ageOfData: (age: string) => `The server did not respond. You see data from ${age}.`,
  before: 'Period before',
  none: 'none',
  test: 'Test',
  copied: 'Copied',
  copy: 'Copy',
  lost: 'You are signed out',
  lostText: 'Sign in again to continue. What you entered stays as it is.',
  notFound: 'This page does not exist',
  notFoundText: 'The link may be old, or you may not have access to its account.',
  toOverview: 'Go to the overview',
};

export type CommonTexts = typeof commonEn;
