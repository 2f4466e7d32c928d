import { text } from 'node:stream/consumers';
import { PlatformConnection } from '@leadback/db';
import { readConnection, storedCredentials } from '@leadback/core/connections/open';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import { eventually, givenConnection, givenServer, secretsKeys, type TestServer } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

const tokenSchema = z.object({ refreshToken: z.string() });

describe('renewed refresh tokens', () => {
  let worker: TestWorker;
  let front: TestServer;
  /** What requests for access tokens wait for. */
  let gate: Promise<unknown> = Promise.resolve();
  let asked = 0;
  /** Whether the platform takes each refresh token once, and the tokens that it has taken. */
  let isStrict = false;
  const used = new Set<string | null>();
  /** The refresh token that LinkedIn gives. Undefined: the one that was sent. */
  let ofLinkedIn: string | undefined;

  beforeAll(async () => {
    front = await givenServer((request, response) => {
      void text(request).then(async (body) => {
        if (request.url?.endsWith('/token') === true) {
          asked += 1;
          await gate;
        }
        const token = new URLSearchParams(body).get('refresh_token');
        if (isStrict && request.url?.endsWith('/token') === true) {
          if (used.has(token)) {
            const refusal = JSON.stringify({ error: 'invalid_grant', error_description: 'used' });
            response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
            return;
          }
          used.add(token);
        }
        const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
        );
        const reply = await fetch(`${worker.sandbox.url}${request.url}`, { method: 'POST', headers, body });
        const answer = await reply.text();
        const isOfLinkedIn = ofLinkedIn !== undefined && request.url === '/oauth/v2/accessToken';
        response
          .writeHead(reply.status, { 'content-type': 'application/json' })
          .end(isOfLinkedIn ? JSON.stringify({ ...JSON.parse(answer), refresh_token: ofLinkedIn }) : answer);
      });
    });
    worker = await givenWorker({ platformUrl: front.url });
  });
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
  });

  const connection = (id: number) => worker.database.em().findOneOrFail(PlatformConnection, id);
  const keys = connectionKeys(secretsKeys, 'microsoft');
  const rowOf = async (id: number) => {
    const { account } = await connection(id);
    return readConnection(worker.pool, { id, accountId: account.id });
  };
  const tokenOf = async (id: number) => {
    const { account, credentials } = await connection(id);
    return tokenSchema.parse(decryptCredentials(keys, { id, accountId: account.id }, Buffer.from(credentials)))
      .refreshToken;
  };
  const givenMicrosoft = () => givenConnection(worker.database.em(), { platform: 'microsoft' });
  const send = async (connectionId: number, by = worker.startDelivery()) => {
    const [id = 0] = await worker.givenMore(1, connectionId);
    await worker.deliver([id], by);
    return worker.stored(id);
  };

  it('workers store every refresh token that Microsoft issues, and go on with that one', async () => {
    const { id } = await givenMicrosoft();
    const tokens = [await tokenOf(id)];
    const { version } = await connection(id);
    for (let time = 0; time < 3; time += 1) {
      // the sandbox refuses the token before the one that is stored
      expect(await send(id)).toMatchObject({ state: 'delivered', attempts: 1 });
      tokens.push(await tokenOf(id));
    }
    expect(new Set(tokens).size).toBe(4);
    expect(await connection(id)).toMatchObject({ state: 'active', version });
    const changes = 'select from connection_settings_change where connection_id = $1 and version >= $2';
    expect((await worker.database.pool.query(changes, [id, version])).rowCount).toBe(0);
  });

  it('a worker whose refresh token others have used up goes on with the one that they stored', async () => {
    const { id } = await givenMicrosoft();
    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    const before = asked;
    const late = send(id);
    await eventually(() => expect(asked).toBe(before + 1));
    gate = Promise.resolve();
    expect(await send(id)).toMatchObject({ state: 'delivered' });
    expect(await send(id)).toMatchObject({ state: 'delivered' });
    const stored = await tokenOf(id);

    opened.resolve();
    expect(await late).toMatchObject({ state: 'delivered', attempts: 1 });
    // refused, and asked again with what was stored
    expect(asked).toBe(before + 4);
    expect(await connection(id)).toMatchObject({ state: 'active' });
    expect(await tokenOf(id)).not.toBe(stored);
  });

  it('two workers that renew at once ten times deliver all, also if each refresh token is taken once', async () => {
    const { id } = await givenMicrosoft();
    isStrict = true;
    onTestFinished(() => {
      isStrict = false;
    });
    const before = used.size;
    for (let time = 0; time < 5; time += 1) {
      // each has no access token at first
      const both = [worker.startDelivery(), worker.startDelivery()];
      const sent = await Promise.all(both.map((by) => send(id, by)));
      expect(sent).toEqual(sent.map(() => expect.objectContaining({ state: 'delivered', attempts: 1 })));
    }
    expect(used.size).toBe(before + 10);
    expect(await connection(id)).toMatchObject({ state: 'active', stateReason: null });
  });

  const opened = async () => {
    const { id } = await givenMicrosoft();
    return { id, stored: storedCredentials(worker.pool, secretsKeys, await rowOf(id)) };
  };

  it.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ] as const)(
    'of two workers that renew at once the newer token is stored, if the earlier is committed %s',
    async (_when, order) => {
      const { id, stored } = await opened();
      const workers = [await stored.read(), await stored.read()];
      for (const one of order) await workers[one]?.keep({ refreshToken: `renewed by ${one}` });
      expect(await tokenOf(id)).toBe('renewed by 1');
    },
  );

  it('a renewed token replaces nothing that an operator has entered since', async () => {
    const { id, stored } = await opened();
    const found = await stored.read();
    const entered = Buffer.from('entered');
    await worker.database.pool.query(
      'update platform_connection set credentials = $2, credentials_entered_at = now() where id = $1',
      [id, entered],
    );
    await found?.keep({ refreshToken: 'renewed' });
    expect(Buffer.from((await connection(id)).credentials)).toEqual(entered);
    expect(await stored.read()).toBeUndefined();
  });

  it('a renewed token is stored although somebody has changed other settings, or resumed the connection, since', async () => {
    const { id, stored } = await opened();
    const found = await stored.read();
    const { version } = await connection(id);
    await worker.database.pool.query(
      `update platform_connection set settings = settings || '{"conversionName": "Other"}', resumed_at = now() where id = $1`,
      [id],
    );
    expect((await connection(id)).version).toBeGreaterThan(version);
    await found?.keep({ refreshToken: 'renewed' });
    expect(await tokenOf(id)).toBe('renewed');
  });

  it('another refresh token of LinkedIn would be stored, too', async () => {
    const credentials = { clientId: 'app', clientSecret: 'secret', refreshToken: 'AQX-entered' };
    const { id } = await givenConnection(worker.database.em(), { platform: 'linkedin', credentials });
    expect(await send(id)).toMatchObject({ state: 'delivered' });
    expect((await connection(id)).credentialsRenewedAt).toBeNull();

    ofLinkedIn = 'AQX-renewed';
    expect(await send(id, worker.startDelivery())).toMatchObject({ state: 'delivered' });
    const row = await rowOf(id);
    const stored = decryptCredentials(connectionKeys(secretsKeys, 'linkedin'), row, row.encryptedCredentials);
    expect(stored).toEqual({ ...credentials, refreshToken: 'AQX-renewed' });
  });

  it('sends nothing with an access token whose refresh token could not be stored', async () => {
    const { id } = await givenMicrosoft();
    const token = await tokenOf(id);
    await worker.database.asOwner(
      `alter table platform_connection add constraint refuses_renewals check (id <> ${id} or credentials_renewed_at is null)`,
    );
    const refused = await send(id);
    expect(refused).toMatchObject({ state: 'pending' });
    expect(await tokenOf(id)).toBe(token);
    await worker.database.asOwner('alter table platform_connection drop constraint refuses_renewals');

    // the sandbox takes the former token until the lost one is used
    await worker.makeDue([refused.id]);
    await worker.deliver([refused.id], worker.startDelivery());
    // or by the first worker, if that one claims it before
    await eventually(async () => expect(await worker.stored(refused.id)).toMatchObject({ state: 'delivered' }));
    expect(await tokenOf(id)).not.toBe(token);
  });
});
