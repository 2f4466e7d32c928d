import { type AccountMode, Refusal } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { isWebhookOf } from './read-webhooks.ts';

const lockAccount = preparedStatement('lock-account', 'select from account where id = $1 for no key update');

const read = preparedStatement<{ id: number; url: string }>(
  'webhook-urls',
  `select id, settings->>'url' as url from platform_connection where account_id = $1 and ${isWebhookOf('$2')}`,
);

/**
 * The webhooks of an account and mode, which no other transaction adds to or changes the URL of until this one ends. Every event
 * would arrive twice at a URL of two webhooks, so a caller that repeats a registration must not get a second one.
 */
export const lockUrls = async (on: Queryable, { accountId, isTest }: AccountMode) => {
  await lockAccount(on, [accountId]);
  return read(on, [accountId, isTest]);
};

export const requireNewUrl = (others: readonly { readonly id: number; readonly url: string }[], url: string): void => {
  const same = others.find((other) => other.url === url);
  if (same) throw new Refusal('invalid-fields', { message: `url: webhook ${same.id} has this URL already` });
};
