import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { meterCpu, meterMemory } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { givenClients } from '../given-account.ts';
import type { Part } from '../part.ts';

const rows = 100_000;
const measurement = `${rows.toLocaleString('en')} conversions`;

const importSchema = z.object({ id: z.number() });
const progressSchema = z.object({ state: z.string(), counts: z.object({ created: z.number() }) });

const fileOf = (clients: readonly string[], name: string): string => {
  const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';
  const lines = Array.from(
    { length: rows },
    (_, index) => `${name}-${index},${clients[index % clients.length]},10,USD\n`,
  );
  return header + lines.join('');
};

/** One file, uploaded and registered by one api, with deliveries to two platforms that no worker sends. */
export const csvImport: Part = {
  does: () => `import: a file of ${measurement} for Meta and Google, until every row is registered`,
  goals: () => [{ measurement, figure: 'seconds until done', target: { atMost: 60 } }],
  rounds: 1,
  prepare: async ({ open }) => {
    const stack = await open();
    const { api, headers, clients } = await givenClients(stack, { platforms: ['meta', 'google'] });
    let files = 0;

    const untilDone = async (): Promise<Figures> => {
      files += 1;
      const body = fileOf(clients, `F${files}`);
      const cpu = meterCpu({ processes: { api: api.pid, ...stack.servers }, apart: {} });
      const memory = meterMemory('api', api.pid);
      const start = performance.now();
      const url = `${stack.apiUrl}/import`;
      const sent = await fetch(`${url}?of=conversion`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body,
      });
      const { id } = importSchema.parse(await sent.json());
      const stored = (performance.now() - start) / 1_000;
      for (;;) {
        await pause(200);
        const { state, counts } = progressSchema.parse(await (await fetch(`${url}/${id}`, { headers })).json());
        if (state !== 'done') continue;
        if (counts.created !== rows) throw new Error(`${counts.created} of ${rows} rows were registered`);
        const seconds = (performance.now() - start) / 1_000;
        return {
          'seconds until stored': stored,
          'seconds until done': seconds,
          'per second': rows / seconds,
          ...memory(),
          ...cpu(rows),
        };
      }
    };
    return { measurements: new Map([[measurement, untilDone]]) };
  },
};
