import { type KeyedApp, keyedApps, masterKeysSchema, writeAppKeys } from '@leadback/secrets';
import { parseEnv } from '@leadback/runtime';
import { z } from 'zod';
import { command } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';

const inputSchema = z.object({ app: z.enum(keyedApps).optional() });

/** As docker-compose.yml reads it. */
const variableOf = (app: KeyedApp) => `${app.toUpperCase().replaceAll('-', '_')}_SECRETS_KEY`;

const print = async ({ app }: z.output<typeof inputSchema>, { env }: Pick<Terminal, 'env'>) => {
  const settings = parseEnv(z.object({ SECRETS_KEY: masterKeysSchema }), env);
  if (typeof settings === 'string') throw new OperatorError(settings);
  const apps = app === undefined ? keyedApps : [app];
  return apps.map((one) => ({
    app: one,
    variable: variableOf(one),
    keys: writeAppKeys(settings.SECRETS_KEY, one),
  }));
};

type Printed = Awaited<ReturnType<typeof print>>;

export const printAppKeys = command({
  name: 'secrets keys',
  summary:
    'print the SECRETS_KEY of one app, or lines for .env with those of all: each has the keys for what that app does, and nothing with which the others could be computed. Needs SECRETS_KEY alone; docs/secrets.md',
  options: [['--app <name>', `one of ${keyedApps.join(', ')}`]],
  columns: ['app', 'variable', 'keys'],
  input: inputSchema,
  runOffline: print,
  run: print,
  shown: (output: Printed) =>
    output.length === 1
      ? (output[0]?.keys ?? '')
      : output.map(({ variable, keys }) => `${variable}=${keys}`).join('\n'),
});
