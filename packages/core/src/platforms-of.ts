import { type PlatformName, webhookName } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';

const find = preparedStatement<{ platform: PlatformName }>(
  'platforms-of-account',
  `select distinct platform from platform_connection
   where account_id = $1 and state in ('active', 'needs_attention') and platform <> '${webhookName}'`,
);

/** The platforms that are told of an account's conversions. */
export const platformsOf = async (on: Queryable, accountId: number): Promise<readonly PlatformName[]> =>
  (await find(on, [accountId])).map(({ platform }) => platform);
