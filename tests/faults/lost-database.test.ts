import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  eventually,
  givenBroker,
  givenLandingPage,
  openTestDatabase,
  secretsKeys,
  type TestDatabase,
  tcpProxy,
} from '@leadback/testing';
import { type LocalBroker, type LocalServer, startPostgres } from '@leadback/testing/stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Clicks, clicksOn } from '../support/clicks.ts';
import { enough, firstOf } from '../support/long-run.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

describe('leads and outages', () => {
  let broker: LocalBroker;
  let stack: TestStack;
  let postgres: LocalServer;
  let database: TestDatabase;
  let partner: Partner;
  let clicks: Clicks;

  beforeAll(async () => {
    broker = await givenBroker();
    stack = await givenStack(broker);
    postgres = await startPostgres({ dir: await mkdtemp(join(inject('temporaryFolder'), 'postgres-')) });
    database = await openTestDatabase(postgres.url);
    await migrate(database.ownerUrl);
    // its connections end with the server
    database.pool.on('error', () => {});
    partner = await givenPartner({ ...stack, database });
    const page = await givenLandingPage(database.em(), { account: partner.account });
    clicks = clicksOn(page, { ...stack, database });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres.stop();
    await stack[Symbol.asyncDispose]();
  });

  const start = (name: 'landing' | 'api') => stack.start(name, { databaseUrl: database.url });

  const spooled = async () => (await readdir(stack.leadSpoolFolder)).filter((name) => name.endsWith('.leads'));
  /** Registers a client like a partner's backend, which retries after 503. Returns every status. */
  const registerClient = async (leadReference: string): Promise<number[]> => {
    const statuses: number[] = [];
    await eventually(async () => {
      const { status } = await partner.post('/client', { leadReference });
      statuses.push(status);
      expect(status).not.toBe(503);
    });
    return statuses;
  };
  /** A valid reference without a lead gets 404 again when no leads are buffered. */
  const expectUnknown = () =>
    eventually(async () => {
      const leadReference = issueLeadReference(leadReferenceKeys(secretsKeys));
      expect((await partner.post('/client', { leadReference })).status).toBe(404);
    });

  it('buffers leads in RabbitMQ and responds with 503 if PostgreSQL is killed under load', async () => {
    await using _landing = await start('landing');
    await using _api = await start('api');
    await using coming = clicks.coming('broker');
    await coming.more(enough(50, 100));
    await postgres.kill();
    await coming.more(enough(150, 500));
    await coming.areBuffered('at_broker');
    const reference = coming.last();
    await postgres.start();
    const statuses = await registerClient(reference);
    expect(statuses.at(-1)).toBe(201);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await coming.more(enough(50, 100));
    const visits = await coming.stop();
    await clicks.haveLeads(visits);
    expect(await coming.countLost()).toBe(0);
    await expectUnknown();
  });

  it('loses no lead if the landing app is killed with leads in RabbitMQ', async () => {
    await using landing = await start('landing');
    await using coming = clicks.coming('killed');
    await coming.more(20);
    await postgres.kill();
    await coming.more(100);
    await coming.areBuffered('at_broker');
    const visits = await coming.stop();
    expect(await coming.countLost()).toBe(0);
    await landing.kill();
    await postgres.start();
    await using _restarted = await start('landing');
    await clicks.haveLeads(visits);
  });

  it('loses no lead if RabbitMQ is down too and the landing app is killed with leads on disk', async () => {
    await using landing = await start('landing');
    await using _api = await start('api');
    await using coming = clicks.coming('disk');
    await coming.more(20);
    await broker.kill();
    await postgres.kill();
    await coming.more(enough(100, 300));
    await coming.areBuffered('on_disk');
    const visits = await coming.stop();
    await landing.kill();
    expect((await spooled()).length).toBeGreaterThan(0);
    await postgres.start();
    const waiting = registerClient(visits.at(-1)?.reference ?? '');
    await broker.start();
    await using _restarted = await start('landing');
    const statuses = await waiting;
    expect(statuses.filter((status) => status !== 503)).toEqual([201]);
    await clicks.haveLeads(visits);
    // a file is deleted after its leads are recorded
    await eventually(async () => expect(await spooled()).toEqual([]));
    await expectUnknown();
  });

  it('serves pages and keeps leads if the landing app starts without PostgreSQL and RabbitMQ', async () => {
    await using toDatabase = await tcpProxy(database.url);
    await using toBroker = await tcpProxy(broker.url);
    const servers = { databaseUrl: toDatabase.url, amqpUrl: toBroker.url };
    await using before = await stack.start('landing', servers);
    await before.stop();
    // they refuse connections: another start of RabbitMQ would take seconds of a core
    toDatabase.cut();
    toBroker.cut();
    await using _started = await stack.start('landing', servers);
    const visits = [await clicks.click('started-0'), await clicks.click('started-1')];
    expect((await spooled()).length).toBeGreaterThan(0);
    await toDatabase.heal();
    await toBroker.heal();
    await clicks.haveLeads(visits);
  });

  it.each(firstOf(1, ['blackHole', 'cut'] as const))(
    'responds with 503 for a buffered lead if only the landing app loses PostgreSQL (%s)',
    async (lose) => {
      await using toDatabase = await tcpProxy(database.url);
      await using _landing = await stack.start('landing', { databaseUrl: toDatabase.url });
      await using _api = await start('api');
      const before = await clicks.click(`${lose}-0`);
      toDatabase[lose]();
      const after = await clicks.click(`${lose}-1`);
      expect((await partner.post('/client', { leadReference: after.reference })).status).toBe(503);
      await toDatabase.heal();
      expect((await registerClient(after.reference)).at(-1)).toBe(201);
      await clicks.haveLeads([before, after]);
    },
  );

  it.each(firstOf(0, ['stop responding with connections open']))(
    'loses no lead if PostgreSQL and RabbitMQ %s',
    async () => {
      await using toDatabase = await tcpProxy(database.url);
      await using toBroker = await tcpProxy(broker.url);
      await using _landing = await stack.start('landing', { databaseUrl: toDatabase.url, amqpUrl: toBroker.url });
      await using coming = clicks.coming('silent');
      await coming.more(20);
      toDatabase.blackHole();
      await coming.more(100);
      await coming.areBuffered('at_broker');
      toBroker.blackHole();
      await coming.more(100);
      await coming.areBuffered('on_disk');
      const visits = await coming.stop();
      await Promise.all([toDatabase.heal(), toBroker.heal()]);
      await clicks.haveLeads(visits);
      expect(await coming.countLost()).toBe(0);
    },
  );
});
