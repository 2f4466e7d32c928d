import { refreshTokenGrant, type TokenRequest } from '../oauth/token-request.ts';
import { tokenErrorCode } from './codes.ts';
import type { GoogleCredentials } from './credentials.ts';
import { serviceAccountAssertion } from './service-account-assertion.ts';

/** Exchanges a refresh token or an assertion (RFC 7523, section 2.1) for an access token. */
export const googleTokenRequest = (oauthUrl: string, credentials: GoogleCredentials, nowMs: number): TokenRequest => {
  const url = `${oauthUrl}/token`;
  if (!('serviceAccount' in credentials)) {
    const { clientSecret, refreshToken } = credentials;
    return { url, form: refreshTokenGrant(credentials), secrets: [clientSecret, refreshToken] };
  }
  const { serviceAccount } = credentials;
  const assertion = serviceAccountAssertion(serviceAccount, nowMs);
  return {
    url,
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
    // not the account's email: it tells which account lacks access
    secrets: [serviceAccount.private_key, assertion],
    codeOf: tokenErrorCode,
  };
};
