import { createHmac } from 'node:crypto';

/**
 * Shows Meta that whoever sends the token knows the secret of the app that issued it ("Securing Graph API requests");
 * `undefined` if no secret is set up.
 */
export const appSecretProof = (accessToken: string, appSecret: string | undefined): string | undefined =>
  appSecret === undefined ? undefined : createHmac('sha256', appSecret).update(accessToken).digest('hex');
