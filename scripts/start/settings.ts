import { masterKeysSchema } from '@leadback/domain/keys';
import { Client } from 'pg';
import { z } from 'zod';
import { assertPortFree } from '@leadback/testing/stack';
import { checkBroker } from '../../apps/operator/src/doctor/check-broker.ts';

const expectedPort = 'expected the number of a port, from 1 to 65535';
const portOr = (otherwise: number, highest = 65_535) =>
  z.coerce.number(expectedPort).int(expectedPort).min(1, expectedPort).max(highest, expectedPort).default(otherwise);

const urlOf = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `expected a URL such as ${example}` }).optional();

const settingsSchema = z.object({
  DATABASE_URL: urlOf(/^postgres(?:ql)?$/, 'postgres://user:password@127.0.0.1:5432/leadback'),
  AMQP_URL: urlOf(/^amqps?$/, 'amqp://user:password@127.0.0.1:5672/leadback'),
  ALLOW_UNENCRYPTED_SERVERS: z.string().optional(),
  ALLOW_UNVERIFIED_SERVERS: z.string().optional(),
  SECRETS_KEY: z
    .string()
    .refine((text) => masterKeysSchema.safeParse(text).success, 'expected 32 bytes in base64, or several such keys')
    .optional(),
  LANDING_PORT: portOr(3000),
  API_PORT: portOr(3001),
  SHOP_PORT: portOr(3002),
  SANDBOX_PORT: portOr(3003),
  CONSOLE_PORT: portOr(3004),
  /** landing's operations port; those of api, feedback-worker and console follow. */
  OPERATIONS_PORT_BASE: portOr(9100, 65_532),
});

type StartSettings = z.infer<typeof settingsSchema>;

/** Settings of `npm start`. It starts PostgreSQL and RabbitMQ unless their URLs are set. */
export const readSettings = (env: NodeJS.ProcessEnv = process.env): StartSettings => {
  const { success, data, error } = settingsSchema.safeParse(env);
  if (success) return data;
  throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
};

/** The tracing settings, which are passed to the apps. */
export const openTelemetrySettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
    ),
  );

/** The operations ports are consecutive. */
export const portsOf = (settings: StartSettings) => {
  const first = settings.OPERATIONS_PORT_BASE;
  return {
    landing: settings.LANDING_PORT,
    api: settings.API_PORT,
    shop: settings.SHOP_PORT,
    sandbox: settings.SANDBOX_PORT,
    console: settings.CONSOLE_PORT,
    operations: { landing: first, api: first + 1, 'feedback-worker': first + 2, console: first + 3 },
  };
};

type Ports = ReturnType<typeof portsOf>;

/**
 * Throws if two apps would have the same port, and then if ports are in use; the error names the settings that change them.
 */
export const assertPortsFree = async ({ landing, api, shop, sandbox, console, operations }: Ports): Promise<void> => {
  const wanted = [
    ['LANDING_PORT', landing],
    ['API_PORT', api],
    ['SHOP_PORT', shop],
    ['SANDBOX_PORT', sandbox],
    ['CONSOLE_PORT', console],
    ...Object.values(operations).map((port) => ['OPERATIONS_PORT_BASE', port] as const),
  ] as const;
  const taken = new Map<number, string>();
  for (const [name, port] of wanted) {
    const other = taken.get(port);
    if (other !== undefined) {
      const why = name === 'OPERATIONS_PORT_BASE' ? `, which takes four ports from ${operations.landing} on` : '';
      throw new Error(`port ${port} is wanted twice: by ${other} and ${name}${why}; set one of them to another port`);
    }
    taken.set(port, name);
  }
  const inUse = new Map<string, string>();
  for (const [name, port] of wanted) {
    await assertPortFree(port, name).catch(({ message }: Error) => inUse.set(name, message));
  }
  if (inUse.size > 0) throw new Error([...inUse.values()].join('\n'));
};

const reachMs = 5_000;

const reachDatabase = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: reachMs });
  try {
    await client.connect();
  } catch (error) {
    const why = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error);
    throw new Error(`DATABASE_URL: cannot connect to PostgreSQL at ${client.host}:${client.port} (${why})`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {}); // never connected
  }
};

const reachBroker = async (url: string): Promise<void> => {
  const [{ state, finding } = { state: 'ok', finding: '' }] = [await checkBroker(url)].flat();
  if (state !== 'ok') throw new Error(`AMQP_URL: ${finding}`);
};

/** Throws if a server that a setting names cannot be used, before anything is started. */
export const assertServersReached = async ({ DATABASE_URL, AMQP_URL }: StartSettings): Promise<void> => {
  await Promise.all([AMQP_URL && reachBroker(AMQP_URL), DATABASE_URL && reachDatabase(DATABASE_URL)]);
};
