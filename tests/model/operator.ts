import { pause, resume, retry } from './model.ts';
import { chosen, type Run, sorted } from './run.ts';

export const retryNamed = async ({ core, model }: Run, numbers: readonly number[]) => {
  const all = [...model.deliveries.values()];
  const named = [...new Set(numbers.flatMap((number) => chosen(all, number) ?? []))];
  const expected = sorted(retry(model, named).map(({ id }) => id));
  const retried = sorted(await core.retry(named.map(({ id }) => id)));
  if (retried !== expected) throw new Error(`retried deliveries ${retried}, not ${expected}`);
};

export const retryAll = async ({ core, model }: Run, number: number) => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const named = [...model.deliveries.values()].filter((one) => one.connection === connection);
  const expected = retry(model, named).length;
  const retried = await core.retryAll(connection);
  if (retried !== expected) throw new Error(`retried ${retried} deliveries, not ${expected}`);
};

export const switchConnection = async ({ core, model }: Run, number: number, to: 'pause' | 'resume') => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  await core[to](connection.id);
  (to === 'pause' ? pause : resume)(connection);
};
