import { createHmac } from 'node:crypto';

/**
 * Proves to Meta that the sender has the secret of the app that issued the token ("Securing Graph API requests");
 * `undefined` if no secret is configured.
 */
export const appSecretProof = (accessToken: string, appSecret: string | undefined): string | undefined =>
  appSecret === undefined ? undefined : createHmac('sha256', appSecret).update(accessToken).digest('hex');
