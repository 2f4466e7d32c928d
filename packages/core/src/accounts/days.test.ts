import { changeAccount, createAccount } from '@leadback/core/accounts/accounts';
import { readToday, timesOf } from '@leadback/core/accounts/days';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { metricsRoller, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { qualityRoller, readQuality } from '@leadback/core/quality/quality';
import { type Account, AuditEntry } from '@leadback/db';
import { timeZoneSchema } from '@leadback/domain';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenDatabase,
  givenDelivery,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { metricDifferences } from '../../test/metric-differences.ts';
import { qualityDifferences } from '../../test/quality-differences.ts';

const argentina = 'America/Argentina/Buenos_Aires';
const ever = { from: '2000-01-01', to: '2100-01-01' };

describe("an account's days", async () => {
  const database = await shared(givenDatabase());
  const { pool } = database;
  const em = () => database.em();

  const given = async (timeZone: string) => {
    const account = await givenAccount(em(), { timeZone });
    await givenClient(em(), { account, externalReference: 'ana' });
    return account;
  };
  const daysOf = async ({ id: accountId }: Account) => {
    const rows = await readAccountMetrics(em(), { accountId, ...ever, by: ['day'] });
    return rows.flatMap(({ day, values }) => (values['conversions'] === undefined ? [] : [day]));
  };
  const rollUp = async () => {
    for (const roll of [metricsRoller(), qualityRoller()]) while ((await roll(pool, 1_000)) > 0);
  };

  it.each([
    ['UTC', '2026-11-27T01:30:00Z', '2026-11-27'],
    ['UTC', '2026-11-26T23:59:59.999Z', '2026-11-26'],
    [argentina, '2026-11-27T01:30:00Z', '2026-11-26'],
    [argentina, '2026-11-27T02:59:59.999Z', '2026-11-26'],
    [argentina, '2026-11-27T03:00:00Z', '2026-11-27'],
    // beyond 12 hours in both directions
    ['Pacific/Kiritimati', '2026-11-26T10:00:00Z', '2026-11-27'],
    ['Pacific/Kiritimati', '2026-11-26T09:59:59Z', '2026-11-26'],
    ['Pacific/Pago_Pago', '2026-11-27T10:59:59Z', '2026-11-26'],
    ['Pacific/Pago_Pago', '2026-11-27T11:00:00Z', '2026-11-27'],
    // quarters and halves of an hour
    ['Asia/Kathmandu', '2026-11-26T18:14:59Z', '2026-11-26'],
    ['Asia/Kathmandu', '2026-11-26T18:15:00Z', '2026-11-27'],
    ['Asia/Kolkata', '2026-11-26T18:29:59Z', '2026-11-26'],
    ['Asia/Kolkata', '2026-11-26T18:30:00Z', '2026-11-27'],
    ['Pacific/Chatham', '2026-11-26T10:14:59Z', '2026-11-26'],
    ['Pacific/Chatham', '2026-11-26T10:15:00Z', '2026-11-27'],
    // a day of 23 hours, and the one before and after it
    ['Europe/Madrid', '2026-03-28T22:59:59Z', '2026-03-28'],
    ['Europe/Madrid', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['Europe/Madrid', '2026-03-29T21:59:59Z', '2026-03-29'],
    ['Europe/Madrid', '2026-03-29T22:00:00Z', '2026-03-30'],
    // a day of 25 hours
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
    // the clocks change at midnight: the day begins at one o'clock, or has midnight twice
    ['America/Santiago', '2026-09-06T03:59:59Z', '2026-09-05'],
    ['America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
    ['America/Havana', '2026-11-01T03:59:59Z', '2026-10-31'],
    ['America/Havana', '2026-11-01T04:00:00Z', '2026-11-01'],
    ['America/Havana', '2026-11-01T05:30:00Z', '2026-11-01'],
  ])('counts a sale in %s at %s on %s, before and after it is rolled up', async (timeZone, at, day) => {
    const account = await given(timeZone);
    const registerSale = conversionRegistrar(pool, { contacts: givenContacts(), announce: () => {} });
    const sale = { clientExternalReference: 'ana', amount: '10', currency: 'USD', occurredAt: at } as const;
    await registerSale({ accountId: account.id, isTest: false }, sale);
    expect(await daysOf(account)).toEqual([day]);
    await rollUp();
    expect(await daysOf(account)).toEqual([day]);
    const { from = '', until = '' } = await timesOf(pool, account.id, { from: day, to: day });
    expect(at >= from.replace('.000Z', 'Z') && Date.parse(at) < Date.parse(until)).toBe(true);
  });

  it.each([
    ['UTC', '2026-11-26', '2026-11-26T00:00:00.000Z', 24],
    [argentina, '2026-11-26', '2026-11-26T03:00:00.000Z', 24],
    ['Asia/Kathmandu', '2026-11-26', '2026-11-25T18:15:00.000Z', 24],
    ['Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
    ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', 25],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
  ])('begins a day in %s, %s, at %s, and has %d hours in it', async (timeZone, day, begins, hours) => {
    const { id } = await givenAccount(em(), { timeZone });
    const { from = '', until = '' } = await timesOf(pool, id, { from: day, to: day });
    expect([from, (Date.parse(until) - Date.parse(from)) / 3_600_000]).toEqual([begins, hours]);
  });

  it('reads times as they are, and refuses a range of a day and a time that is empty', async () => {
    const { id } = await givenAccount(em(), { timeZone: argentina });
    const noon = '2026-11-26T12:00:00.000Z';
    expect(await timesOf(pool, id, { from: '2026-11-26', to: noon })).toEqual({
      from: '2026-11-26T03:00:00.000Z',
      until: noon,
    });
    expect(await timesOf(pool, id, {})).toEqual({});
    const empty = { from: '2026-11-27', to: '2026-11-27T02:00:00.000Z' };
    await expect(timesOf(pool, id, empty)).rejects.toThrow('from: must be before to');
  });

  it('counts all days again when the time zone of an account changes, without losing what is registered meanwhile', async () => {
    const connection = await givenConnection(em());
    const account = await connection.account.loadOrFail();
    const client = {
      lead: { clickParameters: { utm_campaign: 'verano' }, createdAt: new Date('2026-10-01T01:00:00Z') },
    };
    const evening = new Date('2026-11-27T01:30:00Z');
    const sell = () => givenConversion(em(), { account, client, occurredAt: evening, amount: '10.00' });
    const { id } = await givenDelivery(em(), { connection, conversion: await sell() });
    await pool.query(`update delivery set state = 'failed', reason = 'HTTP 400', closed_at = now() where id = $1`, [
      id,
    ]);
    await rollUp();
    await sell();
    expect(await daysOf(account)).toEqual(['2026-11-27']);
    const quality = (day: string) =>
      readQuality(pool, { accountId: account.id, isTest: false }, { from: day, to: day });
    const change = (timeZone: string) => changeAccount(em(), { id: account.id, actor: 'ana', timeZone });

    expect(await change('america/argentina/buenos_aires')).toMatchObject({ timeZone: argentina });
    expect(await daysOf(account)).toEqual(['2026-11-26']);
    expect(await quality('2026-11-26')).toMatchObject([{ failed: { 'HTTP 400': 1 }, conversions: 1 }]);
    expect(await quality('2026-11-27')).toEqual([]);
    await sell();
    await rollUp();
    expect(await daysOf(account)).toEqual(['2026-11-26']);
    expect(await metricDifferences(database)).toEqual([]);
    expect(await qualityDifferences(database)).toEqual([]);

    await Promise.all([change('Pacific/Kiritimati'), sell(), sell(), rollUp()]);
    await change('UTC');
    expect(await daysOf(account)).toEqual(['2026-11-27']);
    expect(await metricDifferences(database)).toEqual([]);
    expect(await qualityDifferences(database)).toEqual([]);
    const entry = { accountId: account.id, action: 'account.change' };
    const [first] = await em().find(AuditEntry, entry, { orderBy: { id: 'asc' } });
    expect(first?.details).toEqual({ timeZone: { before: 'UTC', after: argentina } });
  });

  it('keeps the sum of each campaign on its day if retention has dropped the name', async () => {
    const account = await givenAccount(em());
    const client = { lead: { clickParameters: { utm_campaign: 'otoño' } } };
    const occurredAt = new Date('2026-11-27T01:30:00Z');
    await givenConversion(em(), { account, client, occurredAt });
    await rollUp();
    await pool.query(`update account_metric set campaign = '(other)' where account_id = $1`, [account.id]);
    await changeAccount(em(), { id: account.id, actor: 'ana', timeZone: argentina });
    const rows = await readAccountMetrics(em(), { accountId: account.id, ...ever, by: ['day', 'campaign'] });
    expect(rows.filter(({ values }) => 'conversions' in values)).toMatchObject([
      { day: '2026-11-26', campaign: '(other)', values: { conversions: 1, 'amount.USD': 10 } },
    ]);
  });

  it('knows which day it is for an account', async () => {
    const early = await givenAccount(em(), { timeZone: 'Pacific/Kiritimati' });
    const late = await givenAccount(em(), { timeZone: 'Pacific/Pago_Pago' });
    const [{ today: one, timeZone }, { today: other }] = [
      await readToday(pool, early.id),
      await readToday(pool, late.id),
    ];
    expect(timeZone).toBe('Pacific/Kiritimati');
    expect(one > other).toBe(true);
  });

  it('takes the time zones that PostgreSQL and Node know, as PostgreSQL writes them', async () => {
    const { rows } = await pool.query<{ name: string; agrees: boolean }>(
      `select name from pg_timezone_names where name like '%/%' and name not like all('{posix/%,right/%}')`,
    );
    const taken = rows.filter(({ name }) => timeZoneSchema.safeParse(name).success);
    expect(taken.length).toBeGreaterThan(400);
    const ofNode = Intl.supportedValuesOf('timeZone').filter((name) => timeZoneSchema.safeParse(name).success);
    expect(ofNode.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
    const instants = ['2026-01-15T03:30:00Z', '2026-07-15T21:45:00Z'];
    for (const at of instants) {
      const days = await pool.query<{ name: string; day: string }>(
        `select name, day_of($1, name)::text as day from unnest($2::text[]) name`,
        [at, taken.map(({ name }) => name)],
      );
      const differing = days.rows.filter(
        ({ name, day }) =>
          new Intl.DateTimeFormat('sv', { timeZone: name, dateStyle: 'short' }).format(new Date(at)) !== day,
      );
      expect(differing).toEqual([]);
    }
    const settings = { name: 'Zapatería', actor: 'ana', secretsKeys };
    expect(await createAccount(em(), settings)).toMatchObject({ timeZone: 'UTC' });
    expect(await createAccount(em(), { ...settings, timeZone: 'europe/madrid' })).toMatchObject({
      timeZone: 'Europe/Madrid',
    });
    await expect(createAccount(em(), { ...settings, timeZone: 'Europe/Atlantis' })).rejects.toThrow(
      'time zone: the database does not know Europe/Atlantis',
    );
  });
});

describe('the name of a time zone', () => {
  it.each([
    'UTC',
    'utc',
    ' UTC ',
    'Etc/UTC',
    argentina,
    'America/Buenos_Aires',
    'america/sao_paulo',
    'America/Argentina/ComodRivadavia',
    'America/Port-au-Prince',
    'Etc/GMT+3',
    'Europe/Madrid',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'US/Eastern',
  ])('may be %j', (name) => {
    expect(timeZoneSchema.safeParse(name).success).toBe(true);
  });

  // abbreviations and offsets mean other times in PostgreSQL, or none
  it.each([
    '',
    ' ',
    'EST',
    'EST5EDT',
    'GMT',
    'GMT+3',
    'UTC-3',
    '-03:00',
    '+03:00',
    '-3',
    'ART',
    'Buenos Aires',
    'America/Argentina/Buenos Aires',
    'America/Argentina',
    'America/Atlantis',
    'posix/America/New_York',
    'right/UTC',
    'localtime',
    'Factory',
    'America//New_York',
    '../etc/passwd',
    'UTC; drop table account',
    '2026-11-27',
    null,
    3,
  ])('may not be %j', (name) => {
    expect(timeZoneSchema.safeParse(name).success).toBe(false);
  });
});
