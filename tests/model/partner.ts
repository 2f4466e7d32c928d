import type { Account } from '@leadback/db';
import { Refusal } from '@leadback/domain';
import { expect } from 'vitest';
import { orRefusal } from '../../packages/core/test/or-refusal.ts';
import {
  clickToTell,
  type Model,
  type ModelConnection,
  type ModelParcel,
  toldOfAdjustments,
  toldOfSales,
} from './model.ts';
import type { Run } from './run.ts';
import {
  countedClick,
  erase,
  isRetracted,
  type ModelAdjustment,
  type ModelClick,
  type ModelClient,
  type ModelSale,
  takenBackBy,
} from './sales-model.ts';
import type { Order, Visit } from './steps.ts';

const dayMs = 86_400_000;

const clientOf = ({ clients }: Model, accountId: number, reference: string): ModelClient | undefined =>
  [...clients.values()].find((one) => one.account.id === accountId && one.reference === reference);

/** A visitor follows a link, and is registered as a client, or as the client who has returned. */
export const click = async (
  run: Run,
  account: Account,
  reference: string,
  { days, parameters }: Visit,
): Promise<void> => {
  const { core, model, startedAt } = run;
  // none at the same time as another one
  const clicks = [...model.clients.values()].flatMap((one) => one.clicks);
  const at = startedAt - days * dayMs + clicks.length * 1_000;
  const { leadId, clientId } = await core.click(account, reference, {
    clickParameters: parameters,
    createdAt: new Date(at),
  });
  const clicked: ModelClick = { id: leadId, at, parameters };
  const known = clientOf(model, account.id, reference);
  if (known) known.clicks.push(clicked);
  const { id, attribution } = account;
  const client: ModelClient = known ?? { id: clientId, account: { id, attribution }, reference, clicks: [clicked] };
  expect(clientId).toBe(client.id);
  model.clients.set(clientId, client);
};

/** Erases a client, if there is one. */
export const eraseClient = async ({ core, model }: Run, account: Account, reference: string): Promise<void> => {
  await core.erase(account.id, reference);
  const client = clientOf(model, account.id, reference);
  if (client) erase(client);
};

interface Subject {
  readonly sale: ModelSale;
  readonly adjustment: ModelAdjustment | undefined;
  readonly told: readonly ModelConnection[];
}

interface Row {
  id: string;
  connection_id: string;
  parcel_id: string;
}

/** Puts new deliveries into the model, with the ids that they got. Which of one statement share a parcel is not promised. */
export const enqueue = async ({ core, model }: Run, subjects: readonly Subject[]): Promise<void> => {
  const parcels = new Map<number, ModelParcel>();
  for (const { sale, adjustment, told } of subjects) {
    const [column, id] = adjustment ? ['adjustment_id', adjustment.id] : ['conversion_id', sale.id];
    const { rows } = await core.pool.query<Row>(
      `select id, connection_id, parcel_id from delivery where ${column} = $1`,
      [id],
    );
    for (const connection of told) {
      const row = rows.find((one) => Number(one.connection_id) === connection.id);
      if (!row) throw new Error(`there is no delivery to connection ${connection.id}`);
      const parcelId = Number(row.parcel_id);
      const parcel: ModelParcel = parcels.get(parcelId) ?? {
        id: parcelId,
        connection,
        deliveries: new Set(),
        claim: 0,
        isClaimed: false,
        isDue: true,
        leasesLost: 0,
      };
      parcels.set(parcelId, parcel);
      model.parcels.add(parcel);
      const delivery = {
        id: Number(row.id),
        connection,
        sale,
        adjustment,
        click: clickToTell(model, sale, connection),
        state: 'pending' as const,
        reason: null,
        attempts: 0,
        throttled: 0,
        isOld: false,
        parcel,
        copiesMax: 1,
      };
      model.transitions.add('1: – → waiting');
      parcel.deliveries.add(delivery);
      model.deliveries.set(delivery.id, delivery);
    }
  }
};

const referenceOf = ({ number }: Order) => `order-${number}`;

type Answer = { readonly id: number | undefined; readonly code: string };

const soldAt = ({ startedAt }: Run, { days }: Order): number => startedAt - days * dayMs;

/** What a request gets. `id` is undefined if it creates a conversion, whose id is not known yet. */
const expectedAnswer = ({ model, keys }: Run, accountId: number, order: Order): Answer => {
  const eventId = referenceOf(order);
  const key = order.isKeyed ? keys.get(`${accountId} ${eventId}`) : undefined;
  if (key && key.body !== JSON.stringify(order)) return { id: undefined, code: 'idempotency-key-reused' };
  if (key) return { id: key.saleId, code: key.code === 'created' ? 'repeated' : key.code };
  const client = clientOf(model, accountId, order.buyer);
  if (!client) return { id: undefined, code: 'client-unknown' };
  const first = [...model.sales.values()].find((one) => one.client.account.id === accountId && one.eventId === eventId);
  if (!first) return { id: undefined, code: 'created' };
  const isSame = first.amount === order.amount && first.client === client;
  return { id: first.id, code: isSame ? 'conversion-repeated' : 'conversion-differs' };
};

/** Registers conversions at the same time, as requests of a partner that arrive together. */
export const register = async (run: Run, { id: accountId }: Account, all: readonly Order[]): Promise<void> => {
  const { core, model, keys } = run;
  const orders = [...new Map(all.map((order) => [order.number, order])).values()];
  const expected = orders.map((order) => expectedAnswer(run, accountId, order));
  const results = await Promise.all(
    orders.map((order) => {
      const input = {
        amount: `${order.amount}`,
        currency: 'USD' as const,
        clientExternalReference: order.buyer,
        conversionExternalReference: referenceOf(order),
        ...(order.days > 0 && { occurredAt: new Date(soldAt(run, order)).toISOString() }),
      };
      const mode = { accountId, isTest: false };
      return orRefusal(core.register(mode, input, order.isKeyed ? referenceOf(order) : undefined));
    }),
  );
  const told = toldOfSales(model, accountId);
  const subjects: Subject[] = [];
  for (const [index, order] of orders.entries()) {
    const result = results[index];
    if (!result) continue;
    const isRefused = result instanceof Refusal;
    const saleId = isRefused ? result.conversionId : result.id;
    const code = isRefused ? result.code : result.isRepeated ? 'repeated' : 'created';
    expect({ order, code, id: code === 'created' ? undefined : saleId }).toEqual({ order, ...expected[index] });
    const key = `${accountId} ${referenceOf(order)}`;
    if (order.isKeyed && saleId !== undefined && !keys.has(key)) {
      keys.set(key, { body: JSON.stringify(order), saleId, code });
    }
    const client = clientOf(model, accountId, order.buyer);
    if (code !== 'created' || saleId === undefined || !client) continue;
    const at = soldAt(run, order);
    const sale: ModelSale = {
      id: saleId,
      client,
      eventId: referenceOf(order),
      amount: order.amount,
      at,
      click: countedClick(client, at),
      adjustments: [],
      isUntold: told.length === 0,
    };
    model.sales.set(saleId, sale);
    subjects.push({ sale, adjustment: undefined, told });
  }
  await enqueue(run, subjects);
};

/** Restates or, with 0, retracts a conversion. */
export const adjust = async (run: Run, sale: ModelSale | undefined, amount: number): Promise<void> => {
  if (!sale) return;
  const kind = amount === 0 ? ('retract' as const) : ('restate' as const);
  const input = { conversionId: sale.id, kind, ...(amount > 0 && { amount: `${amount}` }) };
  const result = await orRefusal(run.core.adjust({ accountId: sale.client.account.id, isTest: false }, input));
  expect(result instanceof Refusal ? result.code : 'created').toBe(
    isRetracted(sale) ? 'conversion-retracted' : 'created',
  );
  if (result instanceof Refusal) return;
  const adjustment = { id: result.id, kind, amount, takenBack: takenBackBy(sale, amount) };
  sale.adjustments.push(adjustment);
  await enqueue(run, [{ sale, adjustment, told: toldOfAdjustments(run.model, sale) }]);
};
