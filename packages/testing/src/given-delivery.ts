import {
  type Client,
  type Conversion,
  type ConversionAdjustment,
  type EntityManager,
  Delivery,
  type PlatformConnection,
  type Database,
  DeliveryAttempt,
  PlatformRequest,
} from '@leadback/db';
import type { Currency } from '@leadback/domain';
import { givenConnection } from './given-account.ts';
import { givenConversion, givenClient } from './given-conversion.ts';
import { saved, unique } from './saved.ts';

interface DeliveryOptions {
  readonly connection?: PlatformConnection;
  /** Must belong to the account of the connection; default: a new one. */
  readonly conversion?: Conversion;
  /** The delivery reports this adjustment instead of a conversion. */
  readonly adjustment?: ConversionAdjustment;
  /** The delivery reports the registration of this client instead of a conversion. */
  readonly client?: Client;
  readonly state?: Delivery['state'];
  readonly reason?: string;
}

/** Gives a pending delivery a parcel of its own, due now. */
export const givenParcel = async (em: EntityManager, delivery: Delivery): Promise<Delivery> => {
  await em.execute(
    `with open as (
       select *, nextval('delivery_due_id_seq') as new_parcel_id from delivery where id = ?
     ), due as (
       insert into delivery_due (id, account_id, connection_id, is_test, delivery_ids, retry_from, oldest_at)
       select new_parcel_id, account_id, connection_id, is_test, array[id], created_at, coalesce(occurred_at, created_at)
       from open
     )
     update delivery set parcel_id = new_parcel_id from open where delivery.id = open.id`,
    [delivery.id],
  );
  return em.refreshOrFail(delivery);
};

/** What a delivery has of its conversion. */
export const ofConversion = (conversion: Conversion) => {
  const { isTest, landingPageId, campaign, occurredAt, createdAt } = conversion;
  return { conversion, isTest, landingPageId, campaign, occurredAt: occurredAt ?? createdAt };
};

/** A delivery that is due now, or closed. */
export const givenDelivery = async (
  em: EntityManager,
  { connection, conversion: given, adjustment, client, state = 'pending', reason }: DeliveryOptions = {},
): Promise<Delivery> => {
  const via = connection ?? (await givenConnection(em));
  const subjectOf = async () => {
    if (adjustment) return { adjustment, isTest: adjustment.isTest, occurredAt: adjustment.occurredAt };
    if (client) return { client, isTest: client.isTest, occurredAt: client.createdAt };
    return ofConversion(given ?? (await givenConversion(em, { account: await via.account.loadOrFail() })));
  };
  const subject = await subjectOf();
  const delivery = em.create(Delivery, {
    account: via.account,
    ...subject,
    connection: via,
    state,
    reason: reason ?? null,
    closedAt: state === 'pending' ? null : new Date(),
  });
  await saved(em, delivery);
  return state === 'pending' ? givenParcel(em, delivery) : delivery;
};

interface ManyDeliveries {
  readonly connection: PlatformConnection;
  readonly rows: number;
  readonly client?: Omit<NonNullable<Parameters<typeof givenClient>[1]>, 'account'>;
  readonly state?: Delivery['state'];
  readonly reason?: string;
  readonly isTest?: boolean;
  /** When the conversions occurred; default: now. */
  readonly occurredAt?: Date;
  readonly amount?: string;
  readonly currency?: Currency;
  /** The external references of the conversions are this and 1, 2, …; default: none. */
  readonly reference?: string;
  /** How many pending deliveries share a parcel. */
  readonly parcelSize?: number;
}

/** Deliveries of conversions of one client, due now or closed. Returns their ids. */
export const givenManyDeliveries = async (
  database: Pick<Database, 'em' | 'pool'>,
  {
    connection,
    rows: count,
    client: options,
    state = 'pending',
    reason,
    isTest = false,
    occurredAt,
    amount = '10.00',
    currency = 'USD',
    reference,
    parcelSize = 1,
  }: ManyDeliveries,
): Promise<number[]> => {
  const account = await connection.account.loadOrFail();
  const client = await givenClient(database.em(), { account, isTest, ...options });
  const { rows } = await database.pool.query<{ id: string }>(
    `with made as (
       insert into conversion (account_id, client_id, lead_id, amount, currency, is_test, occurred_at, event_id, landing_page_id, campaign,
                               external_reference)
       select $1, c.id, c.lead_id, $10, $11, $7, $8, gen_random_uuid(), c.landing_page_id, c.campaign, $12::text || n
       from client c, generate_series(1, $3::int) n where c.id = $2 returning id, landing_page_id, campaign
     ), numbered as (
       select *, (row_number() over (order by id) - 1) / $9::int as part from made
     ), parcel as (
       select part, nextval('delivery_due_id_seq') as parcel_id
       from (select distinct part from numbered where $5 = 'pending') parts
     ), delivery as (
       insert into delivery (account_id, conversion_id, connection_id, state, reason, parcel_id, is_test, occurred_at,
                             landing_page_id, campaign)
       select $1, id, $4, $5, $6, parcel_id, $7, coalesce($8, now()), landing_page_id, campaign
       from numbered left join parcel using (part) returning id, parcel_id
     ), due as (
       insert into delivery_due (id, account_id, connection_id, is_test, delivery_ids, oldest_at)
       select parcel_id, $1, $4, $7, array_agg(id order by id), coalesce($8, now())
       from delivery where parcel_id is not null group by parcel_id
     )
     select id from delivery order by id`,
    [
      account.id,
      client.id,
      count,
      connection.id,
      state,
      reason ?? null,
      isTest,
      occurredAt ?? null,
      parcelSize,
      amount,
      currency,
      reference ?? null,
    ],
  );
  return rows.map(({ id }) => Number(id));
};

interface RequestOptions {
  readonly connection?: PlatformConnection;
  readonly name?: string;
  readonly deliveries?: number;
}

/** A request to Google whose status check is due, and its deliveries. */
export const givenPlatformRequest = async (
  em: EntityManager,
  { connection: given, name = unique('request'), deliveries: count = 1 }: RequestOptions = {},
) => {
  const connection = given ?? (await givenConnection(em, { platform: 'google' }));
  const account = await connection.account.loadOrFail();
  const request = await saved(
    em,
    em.create(PlatformRequest, { account, connection, name, checkAt: new Date(0), verdict: null }),
  );
  const deliveries: Delivery[] = [];
  for (let index = 0; index < count; index += 1) {
    const conversion = await givenConversion(em, { account });
    const closed = { state: 'delivered', closedAt: new Date(), attempts: 1 } as const;
    const row = await saved(em, em.create(Delivery, { account, ...ofConversion(conversion), connection, ...closed }));
    const attempt = { outcome: 'delivered', durationMs: 1, platformRequest: name, requestPosition: index } as const;
    await saved(em, em.create(DeliveryAttempt, { account, delivery: row, ...attempt }));
    deliveries.push(row);
  }
  return { id: request.id, name, connection, deliveries: deliveries.map(({ id }) => id) };
};
