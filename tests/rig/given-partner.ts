import type { Account } from '@leadback/db';
import { givenAccount, givenApiKey, givenConnection } from '@leadback/given';
import type { TestStack } from './given-stack.ts';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Partner {
  readonly account: Account;
  readonly key: string;
  post(path: '/client' | '/client/conversion', body: unknown): Promise<Reply>;
}

/** A partner whose account is connected to both platforms, and whose backend calls the API. */
export const givenPartner = async ({ database, apiUrl }: Pick<TestStack, 'database' | 'apiUrl'>): Promise<Partner> => {
  const em = database.em();
  const account = await givenAccount(em);
  const key = await givenApiKey(em, { account });
  await givenConnection(em, { account, platform: 'meta' });
  await givenConnection(em, { account, platform: 'google' });
  return {
    account,
    key,
    post: async (path, body) => {
      const response = await fetch(apiUrl + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
  };
};
