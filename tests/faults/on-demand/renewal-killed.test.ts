import { PlatformConnection } from '@leadback/db';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import { givenConnection, secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allDelivered, expireClaimsOfKilled } from '../../support/deliveries.ts';
import { failpoint } from '../../support/failpoint.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';

const tokenSchema = z.object({ refreshToken: z.string() });

describe('a refresh token and worker crashes', () => {
  it('delivers everything if the worker is killed before it stores the refresh token that Microsoft issued', async () => {
    await using stack = await givenStack();
    const ledger = await givenLedger(stack, 1);
    const { account } = await ledger.join();
    const { id } = await givenConnection(stack.database.em(), { account, platform: 'microsoft' });
    const connection = () => stack.database.em().findOneOrFail(PlatformConnection, id);
    const token = async () => {
      const { credentials } = await connection();
      const owner = { id, accountId: account.id };
      return tokenSchema.parse(
        decryptCredentials(connectionKeys(secretsKeys, 'microsoft'), owner, Buffer.from(credentials)),
      );
    };
    const entered = await token();
    await stack.start('api');

    const { module, mark } = failpoint({ moment: 'saying', text: 'set credentials = $4, credentials_renewed_at' });
    const worker = await stack.start('feedback-worker', { imports: [module] });
    await ledger.register(10);
    expect(await worker.exited).toBe('SIGKILL');
    expect(await stack.timesLogged('feedback-worker', mark)).toBe(1);
    expect(await token()).toEqual(entered);

    await expireClaimsOfKilled(stack.database);
    const next = await stack.start('feedback-worker');
    await allDelivered(stack.database);
    const renewed = await token();
    expect(renewed).not.toEqual(entered);

    // a worker of its own, which has only what is stored
    await next.stop();
    await stack.start('feedback-worker');
    await ledger.register(4);
    await allDelivered(stack.database);
    expect(await token()).not.toEqual(renewed);
    expect(await connection()).toMatchObject({ state: 'active' });
  });
});
