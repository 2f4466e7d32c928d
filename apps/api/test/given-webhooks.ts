import type { Account } from '@leadback/db';
import type { WebhookTopic } from '@leadback/domain';
import { decryptCredentials, webhookKeys } from '@leadback/domain/keys';
import { givenAccount, givenApiKey, secretsKeys, unique } from '@leadback/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Reply, TestApi } from './given-api.ts';

export const created = z.object({ id: z.number(), secret: z.string() });
export const deliveryIdOf = ({ body }: Reply): number => z.object({ deliveryId: z.number() }).parse(body).deliveryId;

interface StoredWebhook {
  readonly state: string;
  readonly stateReason: string | null;
  readonly settings: unknown;
  readonly credentials: unknown;
}

export interface TestPartner {
  readonly account: Account;
  readonly key: string;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Registers a webhook, whose URL counts as verified; returns its id. */
  webhook(options?: { url?: string; events?: readonly WebhookTopic[] }): Promise<number>;
  /** As if its last test were closed. */
  closeTest(id: number): Promise<void>;
  stored(id: number): Promise<StoredWebhook>;
}

/** An account with a key, for `/webhook`. */
export const givenWebhookPartner = async (
  api: TestApi,
  { isTest = false, account: given }: { readonly isTest?: boolean; readonly account?: Account } = {},
): Promise<TestPartner> => {
  const em = api.database.em();
  const account = given ?? (await givenAccount(em));
  const key = await givenApiKey(em, { account, isTest });
  const send: TestPartner['send'] = (method, path, body) =>
    api.send(method, `/api/v1/webhook${path}`, { key, ...(body !== undefined && { body }) });
  return {
    account,
    key,
    send,
    async webhook({ url = `http://127.0.0.1:9/${unique('hook')}`, events = ['delivery.failed'] } = {}) {
      const reply = await send('POST', '', { url, events });
      expect([reply.status, reply.body]).toEqual([201, expect.anything()]);
      const { id } = created.parse(reply.body);
      await api.database.pool.query('update platform_connection set verify_at = null where id = $1', [id]);
      return id;
    },
    async closeTest(id) {
      await api.database.pool.query('update platform_connection set test_delivery_id = null where id = $1', [id]);
    },
    async stored(id) {
      const { rows } = await api.database.pool.query<Omit<StoredWebhook, 'credentials'> & { credentials: Buffer }>(
        `select state, state_reason as "stateReason", settings, credentials from platform_connection where id = $1`,
        [id],
      );
      const [row] = rows;
      if (!row) throw new Error(`there is no connection ${id}`);
      const owner = { id, accountId: account.id };
      return { ...row, credentials: decryptCredentials(webhookKeys(secretsKeys), owner, row.credentials) };
    },
  };
};
