import { Delivery, WebhookEvent } from '@leadback/db';
import { eventually, givenAccount, givenApiKey, givenWebhook, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';
import { givenImportJob, importsOf } from './given-imports.ts';
import { givenReconciling, listed } from './given-reconciling.ts';

const replayed = z.looseObject({ replay: z.object({ state: z.string() }) });

describe('what webhooks are told of finished work', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const toldTo = async (accountId: number) => {
    const events = await api.database.em().find(WebhookEvent, { accountId }, { orderBy: { id: 1 } });
    return events.map(({ type, data, isTest }) => ({ type, data, isTest }));
  };

  const givenImporter = async ({ isTest = false } = {}) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenWebhook(em, { account });
    const test = await givenWebhook(em, { account, isTest: true });
    return { account, test, ...importsOf(api, await givenApiKey(em, { account, isTest })) };
  };

  it('tells of an import when every row has an outcome, with the counts and nothing of the rows', async () => {
    const { account, test, imported } = await givenImporter({ isTest: true });
    const { id } = await imported('leadReference,email\nnobody,ana@x.example\n,ben@x.example\n', { of: 'client' });
    const data = { importId: id, state: 'done', counts: { refused: 2 }, isTest: true };
    expect(await toldTo(account.id)).toEqual([{ type: 'import.finished', data, isTest: true }]);
    const deliveries = await api.database.em().find(Delivery, { account: account.id });
    expect(deliveries).toMatchObject([{ connection: { id: test.id }, isTest: true, state: 'pending' }]);
  });

  it('tells of an import without rows, and of one that was refused', async () => {
    const { account, upload, send } = await givenImporter();
    const { id } = await upload('leadReference,email\n', { of: 'client' });
    await send('leadReference,email\nx,"ana\n', { of: 'client' });
    await eventually(async () =>
      expect(await toldTo(account.id)).toMatchObject([
        { data: { importId: id, state: 'done', counts: {} } },
        { data: { state: 'refused', counts: {} } },
      ]),
    );
  });

  it('tells once of a reconciliation, when it is compared, and not again of a replay', async () => {
    const { account, post, get, reconcile } = await givenReconciling(api);
    await givenWebhook(api.database.em(), { account });
    const id = await reconcile([listed('order-1', { clientExternalReference: 'C1' })]);
    const data = {
      reconciliationId: id,
      state: 'done',
      counts: expect.objectContaining({ missing: 1 }),
      isTest: false,
    };
    const told = [{ type: 'reconciliation.finished', data, isTest: false }];
    expect(await toldTo(account.id)).toEqual(told);
    await post(`/reconciliation/${id}/replay`, { outcomes: ['missing'], dryRun: true });
    await expect.poll(async () => replayed.parse((await get(`/reconciliation/${id}`)).body).replay.state).toBe('done');
    expect(await toldTo(account.id)).toEqual(told);
  });

  it('stores no event for an account without webhooks', async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const { imported } = importsOf(api, await givenApiKey(em, { account }));
    await imported('leadReference,email\nnobody,ana@x.example\n', { of: 'client' });
    expect(await toldTo(account.id)).toEqual([]);
  });
});
