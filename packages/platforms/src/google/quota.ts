import type { Quota } from '../quota.ts';
import { sha256 } from '../sha256.ts';
import type { GoogleCredentials } from './credentials.ts';

const ofOauthClient = /^(\d+)-[^.]+\.apps\.googleusercontent\.com$/;
const ofServiceAccount = /@([a-z0-9-]+)\.iam\.gserviceaccount\.com$/;
const projectShape = /^[a-z0-9.:-]{1,64}$/;

/** The Google Cloud project of the credentials: its number for an OAuth client, its id for a service account. */
const projectOf = (credentials: GoogleCredentials): string => {
  if (!('serviceAccount' in credentials)) {
    const { clientId } = credentials;
    return ofOauthClient.exec(clientId)?.[1] ?? sha256(clientId).slice(0, 16);
  }
  const { project_id: id, client_email: email } = credentials.serviceAccount;
  const project = id ?? ofServiceAccount.exec(email)?.[1] ?? '';
  return projectShape.test(project) ? project : sha256(email).slice(0, 16);
};

/**
 * Google's quota per project ("Limits and quotas" of the Data Manager API); its days begin at midnight Pacific time.
 * Credentials that name no project have a quota of their own, under a hash.
 */
export const googleQuota = (credentials: GoogleCredentials): Quota => ({
  name: `google ${projectOf(credentials)}`,
  perMinute: 300,
  perDay: 100_000,
  timeZone: 'America/Los_Angeles',
});
