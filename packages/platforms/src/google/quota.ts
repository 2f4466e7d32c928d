import type { Quota } from '../quota.ts';
import { sha256 } from '../sha256.ts';

const ofProject = /^(\d+)-[^.]+\.apps\.googleusercontent\.com$/;

/**
 * What Google takes of the project that an OAuth client belongs to ("Limits and quotas" of the Data Manager API); its days
 * begin at midnight Pacific time. A client id of another shape counts by itself, and is not told.
 */
export const googleQuota = (clientId: string): Quota => ({
  name: `google ${ofProject.exec(clientId)?.[1] ?? sha256(clientId).slice(0, 16)}`,
  perMinute: 300,
  perDay: 100_000,
  timeZone: 'America/Los_Angeles',
});
