import { webhookName } from '@leadback/domain';

/** Of how many deliveries of an account totals are read: adding up so many takes some 40 ms. */
export const totalledMax = 10_000;

interface Bounds {
  /** SQL: of how many deliveries of the account $1 something is read. */
  readonly max: string;
  /** SQL: which connections; default: all. */
  readonly where?: string;
}

/**
 * SQL: connections c of the account $1 to platforms, with `rows_max`: how many deliveries of each may be read, so that an
 * account of any size has its totals in time. Up to twenty connections share the bound evenly. Webhooks are delivered in the
 * same way, and are no part of these screens.
 */
export const boundedConnections = ({ max, where = 'true' }: Bounds): string => `(
  select id, platform, state, (${max}::int / least(count(*) over (), 20))::int as rows_max
  from platform_connection where account_id = $1 and platform <> '${webhookName}' and ${where} offset 0) c`;
