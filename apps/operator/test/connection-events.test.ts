import { PlatformConnection } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, givenDelivery, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

const created = z.object({ id: z.number() });

describe('what an operator lets a platform be told of', async () => {
  const operator = await shared(givenOperator());

  const given = (options: Parameters<typeof givenConnection>[1] = {}) =>
    givenConnection(operator.database.em(), options);
  const stored = async (id: number) => {
    const found = await operator.database.em().findOneOrFail(PlatformConnection, id);
    return { eventKinds: found.eventKinds, eventNames: found.eventNames, version: found.version };
  };
  const none = { eventKinds: ['conversion'], eventNames: {} };

  it('a connection is created without leads unless the operator opts in', async () => {
    const { id: account } = await givenAccount(operator.database.em());
    const create = async (more: string) =>
      created.parse(
        await operator.json(
          `connection create --account ${account} --platform meta --pixel-id 1 --access-token t${more}`,
        ),
      ).id;
    expect(await stored(await create(''))).toMatchObject(none);
    expect(await stored(await create(' --events lead,conversion'))).toMatchObject({
      eventKinds: ['lead', 'conversion'],
    });
  });

  it('a connection is opted in and out, and the rest of it stays', async () => {
    const { id, account } = await given({ eventNames: { trial: 'StartTrial' } });
    await operator.json(`connection change ${id} --events conversion,lead`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion', 'lead'], eventNames: { trial: 'StartTrial' } });
    expect(await operator.json(`connection list --account ${account.id}`)).toMatchObject([
      { id, events: 'conversion,lead', eventNames: 'trial=StartTrial' },
    ]);
    await operator.json(`connection change ${id} --pixel-id 77`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion', 'lead'], eventNames: { trial: 'StartTrial' } });
    await operator.json(`connection change ${id} --events conversion`);
    expect(await stored(id)).toMatchObject({ eventKinds: ['conversion'] });
  });

  it("maps the partner's event names to those of the platform, several at once, and removes them", async () => {
    const { id, version } = await given();
    await operator.json(`connection change ${id} --map-event subscription=Subscribe --map-event trial=StartTrial`);
    expect(await stored(id)).toMatchObject({ eventNames: { subscription: 'Subscribe', trial: 'StartTrial' } });
    // workers that know the earlier version read the connection again
    expect((await stored(id)).version).toBe(version + 1);
    await operator.json(`connection change ${id} --unmap-event trial --map-event subscription=Lead`);
    expect(await stored(id)).toMatchObject({ eventNames: { subscription: 'Lead' } });
  });

  it("stores what a platform calls an event in the form of the platform's own setting", async () => {
    const { id } = await given({ platform: 'linkedin' });
    await operator.json(`connection change ${id} --map-event trial=urn:lla:llaPartnerConversion:5`);
    expect(await stored(id)).toMatchObject({ eventNames: { trial: '5' } });
  });

  it.each([
    ['META --events lead,', '--events: expected conversion, lead, or both'],
    ['META --events sale', '--events: expected conversion, lead, or both'],
    ['META --map-event subscription', '--map-event: expected the eventName of the partner, "="'],
    ['META --map-event a/b=Subscribe', '--map-event: eventName: expected 1 to 64 characters'],
    ['META --unmap-event x', '--unmap-event: no such eventName is mapped'],
    ['GOOGLE --map-event trial=Subscribe', '--map-event: expected the digits of the conversion action'],
    ['GOOGLE --events lead', '--events: Google is told of leads only with --lead-conversion-action-id'],
  ])('refuses "connection change %s" and says what to fix', async (line, message) => {
    const meta = await given();
    const google = await given({ platform: 'google' });
    const typed = line.replace('META', String(meta.id)).replace('GOOGLE', String(google.id));
    const { status, err } = await operator.type(`connection change ${typed}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect([await stored(meta.id), await stored(google.id)]).toMatchObject([none, none]);
  });

  it('refuses a refund event that Meta would count as a sale, in the order in which the names were given', async () => {
    const { id, version } = await given();
    const refused = async (typed: string) => (await operator.type(`connection change ${id} ${typed}`)).err;
    expect(await refused('--refund-event Purchase')).toContain('--refund-event: Purchase is the name of other events');
    expect(await stored(id)).toMatchObject({ version });
    await operator.json(`connection change ${id} --refund-event Refund`);
    expect(await refused('--map-event returned=Refund')).toContain('--map-event: Meta knows Refund as the event of');
    expect(await stored(id)).toMatchObject({ eventNames: {}, version: version + 1 });
  });

  it('keeps the settings of before a change of them or of the event names, and of no other change', async () => {
    const { id, version, settings } = await given();
    await operator.json(`connection change ${id} --access-token other`);
    await operator.json(`connection change ${id} --pixel-id 77`);
    await operator.json(`connection change ${id} --map-event trial=StartTrial`);
    await operator.json(`connection resume ${id}`);
    const { rows } = await operator.database.pool.query(
      `select version, settings->>'pixelId' as pixel, event_names as names from connection_settings_change
       where connection_id = $1 order by version`,
      [id],
    );
    const { pixelId } = z.object({ pixelId: z.string() }).parse(settings);
    // the first change also stores the defaults; the fixture has changed the settings once before
    expect(rows.slice(1)).toEqual([
      { version, pixel: pixelId, names: {} },
      { version: version + 1, pixel: pixelId, names: {} },
      { version: version + 2, pixel: '77', names: {} },
    ]);
  });

  it('refuses to remove what a platform calls leads while it is told of them', async () => {
    const { id } = await given({ platform: 'google' });
    await operator.json(`connection change ${id} --events lead --lead-conversion-action-id 5`);
    const { status, err } = await operator.type(`connection change ${id} --lead-conversion-action-id=`);
    expect([status, err]).toEqual([1, expect.stringContaining('only with --lead-conversion-action-id')]);
  });

  it('lists and shows the delivery of a lead, and counts it if the client is erased', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const externalReference = unique('client');
    const client = await givenClient(em, { account, externalReference });
    const connection = await given({ account });
    const { id } = await givenDelivery(em, { connection, client });
    const sale = await givenDelivery(em, { connection });
    const subject = { event: 'lead', conversionId: null, clientId: client.id, isTest: false };
    expect(await operator.json(`delivery list --account ${account.id}`)).toMatchObject([
      { id: sale.id, event: 'conversion', conversionId: sale.conversion?.id, clientId: null },
      { id, ...subject },
    ]);
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({
      ...subject,
      eventId: expect.stringMatching(new RegExp(`^lead:[0-9a-f-]{36}:${client.id}$`)),
      occurredAt: client.createdAt.toISOString(),
    });
    expect(await operator.json(`client erase --account ${account.id} --reference ${externalReference}`)).toMatchObject({
      clients: 1,
      conversions: 0,
      pendingDeliveries: 1,
    });
  });
});
