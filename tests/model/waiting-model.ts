import { eventAgeMaxMs, platformNames } from '@leadback/domain';
import { deliveriesOf, type Model, type ModelConnection, toldOfSales, waitingFor } from './model.ts';
import { isRetracted, type ModelSale, totalOf } from './sales-model.ts';

/*
 * What is promised of what an operator sees and decides: what waits for a person (packages/core/src/delivery/waiting.ts), and of which
 * earlier sales a connection is told (packages/core/src/connections/backfill.ts).
 */

export type BackfillOutcome = 'already' | 'retracted' | 'tooOld' | 'queued';

/** What a connection would be told of the sales since a time. */
export const toBackfill = (
  model: Model,
  connection: ModelConnection,
  { since, now }: { readonly since: number; readonly now: number },
): Map<ModelSale, BackfillOutcome> => {
  const outcomeOf = (sale: ModelSale): BackfillOutcome => {
    if (deliveriesOf(model, sale, connection).some((one) => !one.adjustment)) return 'already';
    if (isRetracted(sale)) return 'retracted';
    return sale.at < now - eventAgeMaxMs(connection.platform) ? 'tooOld' : 'queued';
  };
  const sales = [...model.sales.values()].filter(
    ({ client, at }) => client.account.id === connection.accountId && at >= since,
  );
  return new Map(sales.map((sale) => [sale, outcomeOf(sale)]));
};

/** In the one currency that the model has. */
export const money = (amounts: readonly number[]) => {
  const amount = amounts.reduce((sum, one) => sum + one, 0);
  return amounts.length === 0 ? [] : [{ currency: 'USD', amount: amount.toFixed(2) }];
};

/** What waits for the connections of an account: those with most deliveries first. */
const waitingOf = (model: Model, accountId: number, isShown: (one: ModelConnection, waiting: number) => boolean) =>
  toldOfSales(model, accountId)
    .map((connection) => ({ connection, waiting: waitingFor(model, connection) }))
    .filter(({ connection, waiting }) => isShown(connection, waiting.length))
    .toSorted((one, other) => other.waiting.length - one.waiting.length || one.connection.id - other.connection.id)
    .map(({ connection, waiting }) => {
      const amounts = waiting.flatMap(({ sale, adjustment }) => (adjustment ? [] : [sale.amount]));
      const { length: deliveries } = waiting;
      return { connectionId: connection.id, deliveries, conversions: amounts.length, money: money(amounts) };
    });

const untoldOf = ({ sales }: Model, accountId: number, since: number) => {
  const amounts = [...sales.values()].flatMap((sale) => {
    const isOne = sale.client.account.id === accountId && sale.isUntold && !isRetracted(sale) && sale.at >= since;
    return isOne ? [totalOf(sale)] : [];
  });
  return { conversions: amounts.length, money: money(amounts) };
};

/** What is on its way from an account, and what waits for a person. */
export const whatWaits = (model: Model, accountId: number, now: number) => {
  const takers = toldOfSales(model, accountId);
  const platforms = takers.length > 0 ? takers.map(({ platform }) => platform) : platformNames;
  return {
    onTheirWay: waitingOf(model, accountId, ({ state }, waiting) => state === 'active' && waiting > 0),
    held: waitingOf(
      model,
      accountId,
      ({ state }, waiting) => state === 'needs_attention' || (state === 'paused' && waiting > 0),
    ),
    untoldEver: untoldOf(model, accountId, -Infinity),
    untold: {
      ...untoldOf(model, accountId, now - Math.max(...platforms.map(eventAgeMaxMs))),
      connectionIds: takers.map(({ id }) => id),
    },
  };
};
