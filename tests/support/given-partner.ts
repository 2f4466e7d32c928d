import { randomInt } from 'node:crypto';
import type { Account, PlatformConnection } from '@leadback/db';
import { givenAccount, givenApiKey, givenConnection } from '@leadback/testing';
import type { TestStack } from './given-stack.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface PartnerRequest {
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

export interface Partner {
  readonly account: Account;
  readonly key: string;
  readonly meta: PlatformConnection;
  readonly google: PlatformConnection;
  /** The ids of the connections at the platforms, unique per partner. */
  readonly pixelId: string;
  readonly conversionActionId: string;
  /** Rejects if there is no response. */
  readonly post: (
    path: '/client' | '/client/conversion' | '/client/conversion/batch' | '/client/conversion/adjustment',
    body: unknown,
    request?: PartnerRequest,
  ) => Promise<Reply>;
}

const tenDigits = () => String(randomInt(1e9, 1e10));

/** A partner whose account is connected to Meta and Google. */
export const givenPartner = async ({ database, apiUrl }: Pick<TestStack, 'database' | 'apiUrl'>): Promise<Partner> => {
  const em = database.em();
  const account = await givenAccount(em);
  const key = await givenApiKey(em, { account });
  const [pixelId, customerId, conversionActionId] = [tenDigits(), tenDigits(), tenDigits()];
  const meta = await givenConnection(em, { account, platform: 'meta', settings: { pixelId } });
  const google = await givenConnection(em, {
    account,
    platform: 'google',
    settings: { customerId, conversionActionId },
  });
  return {
    account,
    key,
    meta,
    google,
    pixelId,
    conversionActionId,
    post: async (path, body, { idempotencyKey, timeoutMs = 30_000 } = {}) => {
      const response = await fetch(apiUrl + path, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
};
