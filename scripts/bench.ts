// `npm run bench`: what one instance of each app handles on this machine, and what a conversion costs each process.
// docs/scaling.md tells how to run and read it.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { benchStack } from './bench/bench-stack.ts';
import { type Checkout, openCheckout } from './bench/checkout.ts';
import { type Figures, medians, tableOf } from './bench/figures.ts';
import type { Part, PartSettings } from './bench/part.ts';
import { parts } from './bench/parts/index.ts';
import { say } from './bench/say.ts';
import { root } from './start/data-folder.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    only: text,
    seconds: text,
    against: text,
    rounds: text,
    rows: text,
    connections: text,
    delay: text,
    platform: text,
  },
});
const number = z.coerce.number().int().min(1);
const options = z
  .object({
    only: z
      .string()
      .default([...parts.keys()].join(','))
      .transform((names) => names.split(',')),
    seconds: number.default(10),
    against: z.string().optional(),
    rounds: number.default(values.against === undefined ? 1 : 3),
    rows: number.default(200_000),
    connections: number.default(40),
    delay: z.coerce.number().int().min(0).default(200),
    platform: z.enum(['google', 'meta']).default('meta'),
  })
  .parse(values);

const settings: PartSettings = { ...options, callers: 64, delayMs: options.delay };
const chosen = options.only.map((name): [string, Part] => {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`there is no part ${name}. Choose from ${[...parts.keys()].join(', ')}`);
  return [name, part];
});
const folders = [root, ...(options.against === undefined ? [] : [options.against])];
const checkouts = await Promise.all(folders.map(openCheckout));

const run = async (part: Part, checkout: Checkout): Promise<Figures> => {
  await using ending = new AsyncDisposableStack();
  return await part.run(await benchStack(checkout, ending), settings); // the servers stay until it has ended
};

// all rounds of a part one after the other, so that both checkouts see the same neighbours
process.stdout.write(`${cpus().length} cores, median of ${options.rounds}\n`);
for (const [name, part] of chosen) {
  const figures = new Map(checkouts.map((checkout) => [checkout, new Array<Figures>()]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const checkout of checkouts) {
      say(`\n${checkout.root}, round ${round} of ${options.rounds}: ${part.does(settings)}`);
      const measured = await run(part, checkout);
      figures.get(checkout)?.push(measured);
      if (options.rounds * checkouts.length > 1) say(tableOf(name, new Map([[checkout.root, measured]])));
    }
  }
  const columns = checkouts.map((checkout) => [checkout.root, medians(figures.get(checkout) ?? [])] as const);
  process.stdout.write(tableOf(part.does(settings), new Map(columns)));
}
