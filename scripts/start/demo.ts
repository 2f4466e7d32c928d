import { Readable, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { type LocalProcess, localUrl, startProcess, hiddenFieldsIn } from '@leadback/testing/stack';
import { runOperator } from '../../apps/operator/src/run-operator.ts';
import { dataFolder, logFolder, root } from './data-folder.ts';

export interface OperatorSurroundings {
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly landingUrl: string;
  /** For the URLs of sources. */
  readonly apiUrl?: string;
  readonly consoleUrl: string;
}

/** Runs an operator command and returns its JSON output, wherever the operator is. */
type Operate = (...args: string[]) => Promise<unknown>;

/**
 * Runs an operator command and returns its JSON output. Throws with its standard error if it fails. It runs in this
 * process: one of its own would load the operator again for each command.
 */
export const operate = async (around: OperatorSurroundings, ...args: string[]): Promise<unknown> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const env = {
    ...process.env,
    DATABASE_URL: around.databaseUrl,
    SECRETS_KEY: around.secretsKey,
    LANDING_URL: around.landingUrl,
    ...(around.apiUrl !== undefined && { API_URL: around.apiUrl }),
    CONSOLE_URL: around.consoleUrl,
  };
  const terminal = { env, stdin: Readable.from([]), stdout, stderr };
  const status = await runOperator([...args, '--json'], terminal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  if (status !== 0) throw new Error(err.trim());
  return JSON.parse(out);
};

/** What an earlier start has written; undefined if there is nothing that can be read. */
export const readStored = <Stored>(file: string, schema: z.ZodType<Stored>): Stored | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // none yet, or an incomplete write
  }
};

/** Somebody who may sign in to the console; `secondFactor`: the secret of an authenticator app, in base32. */
const personSchema = z.object({ email: z.string(), password: z.string(), secondFactor: z.string() });
type ConsolePerson = z.infer<typeof personSchema>;

const invitedSchema = z.object({ url: z.string() });
const sessionSchema = z.object({ csrf: z.string() });
const chosenSchema = z.object({ secret: z.string() });

const periodMs = 30_000;

const codeAt = (secondFactor: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secondFactor) }).generate({ timestamp });

/** The next code of an authenticator app, which is right for a minute or more: the one before may be used up. */
export const nextCode = (secondFactor: string): string => codeAt(secondFactor, Date.now() + periodMs);

/** Sends requests as the console's own pages do. */
const openConsole = async (url: string) => {
  const { csrf } = sessionSchema.parse(await (await fetch(`${url}/api/session`)).json());
  return (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin, 'x-leadback-csrf': csrf },
      body: JSON.stringify(body),
    });
};

/** Invites an admin to the console that runs at `consoleUrl`, and accepts. */
const givenAdmin = async (run: Operate, consoleUrl: string, email: string): Promise<ConsolePerson> => {
  const { url } = invitedSchema.parse(await run('user', 'invite', '--email', email, '--role', 'admin'));
  const post = await openConsole(consoleUrl);
  const [token, password] = [new URL(url).hash.slice(1), randomBytes(12).toString('base64url')];
  const { secret } = chosenSchema.parse(await (await post('/invitation/password', { token, password })).json());
  const { ok, status } = await post('/invitation/accept', { token, code: codeAt(secret, Date.now()) });
  if (!ok) throw new Error(`the console refused the invitation of ${email}: ${status}`);
  return { email, password, secondFactor: secret };
};

const demoSchema = z.object({
  accountId: z.number(),
  apiKey: z.string(),
  testKey: z.string(),
  landingPage: z.string(),
  directPage: z.string(),
  /** The order of the visitor that the first start carried through. */
  order: z.string().optional(),
  /** Another database or shop needs another account. */
  database: z.string(),
  shopUrl: z.string(),
});

export type DemoAccount = z.infer<typeof demoSchema>;

interface DemoSurroundings extends OperatorSurroundings {
  /** Identifies the database independently of its port. */
  readonly database: string;
  readonly shopUrl: string;
  readonly isKnown: (apiKey: string) => Promise<boolean>;
}

const demoFile = join(dataFolder, 'demo.json');
const created = z.object({ id: z.coerce.number() });
const issued = z.object({ key: z.string() });
const page = z.object({ url: z.string() });

const demoPage = {
  title: 'Two months for the price of one',
  text: 'You clicked an **advertisement**. When you continue, this visit becomes a lead:\n\n- the shop receives its reference\n- the reference connects a sale to the *click*',
  accent: '#0f766e',
  button: 'Show me the offer',
};
const metaConnection = {
  platform: 'meta',
  'pixel-id': '1234567890',
  'access-token': 'demo',
  'test-event-code': 'TEST12345',
};
const googleConnection = {
  platform: 'google',
  'customer-id': '123-456-7890',
  'conversion-action-id': '987654321',
  'client-id': 'demo',
  'client-secret': 'demo',
  'refresh-token': 'demo',
};

// any text is a secret for the sandbox
export const demoSecrets = '--from-argv-i-know';

const options = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

/** Creates an account with pages, keys and connections. */
const createDemoAccount = async (
  run: Operate,
  { database, shopUrl }: Pick<DemoSurroundings, 'database' | 'shopUrl'>,
): Promise<DemoAccount> => {
  const { id } = created.parse(await run('account', 'create', '--name', 'My first account', '--rate-limit', '10000'));
  const account = ['--account', String(id)];
  const createPage = async (slug: string, ...more: string[]) => {
    const create = (name: string) => run('page', 'create', ...account, '--slug', name, '--target', shopUrl, ...more);
    // an external database may have a page with this slug
    return page.parse(await create(slug).catch(() => create(`${slug}-${randomBytes(3).toString('hex')}`)));
  };
  const [key, testKey, landingPage, directPage] = await Promise.all([
    run('key', 'issue', ...account, '--name', 'demonstration'),
    run('key', 'issue', ...account, '--name', 'demonstration, test', '--test'),
    createPage('demo', ...options(demoPage)),
    createPage('demo-direct', '--mode', 'direct'),
    run('connection', 'create', ...account, ...options(metaConnection), demoSecrets),
    run('connection', 'create', ...account, ...options(googleConnection), demoSecrets),
  ]);
  return {
    accountId: id,
    apiKey: issued.parse(key).key,
    testKey: issued.parse(testKey).key,
    landingPage: landingPage.url,
    directPage: directPage.url,
    database,
    shopUrl,
  };
};

const storeDemo = (demo: DemoAccount): void => writeFileSync(demoFile, JSON.stringify(demo), { mode: 0o600 });

/** Reuses the account of an earlier start if database, shop and landing URL are the same. */
export const demoAccount = async (around: DemoSurroundings): Promise<DemoAccount> => {
  const earlier = readStored(demoFile, demoSchema);
  const fits =
    earlier?.database === around.database &&
    earlier.shopUrl === around.shopUrl &&
    earlier.landingPage.startsWith(`${around.landingUrl}/`);
  if (earlier && fits && (await around.isKnown(earlier.apiKey))) return earlier;
  const demo = await createDemoAccount((...args) => operate(around, ...args), around);
  storeDemo(demo);
  return demo;
};

const personFile = join(dataFolder, 'demo-person.json');

const isKnown = async ({ consoleUrl }: OperatorSurroundings, person: ConsolePerson): Promise<boolean> => {
  const post = await openConsole(consoleUrl);
  const { email, password, secondFactor } = person;
  return (await post('/session/sign-in', { email, password, code: codeAt(secondFactor, Date.now()) })).ok;
};

/** Reuses the person of an earlier start who can sign in; otherwise invites one, who accepts. */
export const demoPerson = async (around: OperatorSurroundings): Promise<ConsolePerson> => {
  const earlier = readStored(personFile, personSchema);
  if (earlier && (await isKnown(around, earlier))) return earlier;
  const person = await givenAdmin((...args) => operate(around, ...args), around.consoleUrl, 'demo@example.com');
  writeFileSync(personFile, JSON.stringify(person), { mode: 0o600 });
  return person;
};

interface ShopSettings {
  readonly port: number;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** Of the simulated WooCommerce shop, in which it can make its orders. */
  readonly woocommerceUrl: string;
}

/** Starts the example shop, which has the target page where visitors arrive and reports its sales with the SDK. */
export const startDemoShop = ({
  port,
  apiUrl,
  apiKey,
  webhookSecret,
  woocommerceUrl,
}: ShopSettings): Promise<LocalProcess> =>
  startProcess({
    name: 'shop',
    script: 'src/main.ts',
    cwd: join(root, 'examples', 'express-shop'),
    logFile: join(logFolder, 'shop.log'),
    readyUrl: `${localUrl(port)}/offer`,
    env: {
      PORT: String(port),
      LEADBACK_URL: apiUrl,
      LEADBACK_KEY: apiKey,
      LEADBACK_WEBHOOK_SECRET: webhookSecret,
      WOOCOMMERCE_URL: woocommerceUrl,
      // the SDK as it is here, without a build
      NODE_OPTIONS: '--conditions=leadback-source',
    },
  });

interface Api {
  readonly apiUrl: string;
  readonly apiKey: string;
}

interface DemoWebhook {
  readonly id: number;
  /** With which the shop verifies what it is told. */
  readonly secret: string;
}

const listSchema = z.object({ items: z.array(z.object({ id: z.number(), url: z.string() })) });
const secretSchema = z.object({ id: z.number(), secret: z.string() });
const deliveredSchema = z.object({
  items: z.array(
    z.object({ type: z.string(), data: z.object({ conversionId: z.number(), platform: z.string() }).partial() }),
  ),
});

const call = async ({ apiUrl, apiKey }: Api, method: string, path: string, body?: object): Promise<unknown> => {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(apiUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const reply: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
  return reply;
};

/**
 * Registers the webhook of the shop, or gives the one of an earlier start a new secret. It is paused until the shop, which
 * needs the secret to start, can answer.
 */
export const demoWebhook = async (api: Api, url: string): Promise<DemoWebhook> => {
  const events = ['delivery.delivered', 'delivery.failed', 'delivery.skipped', 'connection.needs_attention'];
  const { items } = listSchema.parse(await call(api, 'GET', '/webhook'));
  const earlier = items.find((webhook) => webhook.url === url);
  const path = earlier ? `/webhook/${earlier.id}/secret` : '/webhook';
  const webhook = secretSchema.parse(await call(api, 'POST', path, earlier ? {} : { url, events }));
  await call(api, 'PATCH', `/webhook/${webhook.id}`, { events, state: 'paused' });
  return webhook;
};

export const resumeDemoWebhook = (api: Api, { id }: DemoWebhook): Promise<unknown> =>
  call(api, 'PATCH', `/webhook/${id}`, { state: 'active' });

const webhookMaxMs = 60_000;

/** Waits at most 60 s until the shop was told of the deliveries of a conversion to platforms, and prints each. */
const webhookArrived = async (
  api: Api,
  { id }: Pick<DemoWebhook, 'id'>,
  { conversionId, platforms }: { readonly conversionId: number; readonly platforms: readonly string[] },
  say: (text: string) => void,
): Promise<void> => {
  const missing = new Set(platforms);
  for (const until = Date.now() + webhookMaxMs; missing.size > 0; await pause(100)) {
    if (Date.now() > until) throw new Error(`the shop was not told of ${[...missing].join(' and ')}`);
    const { items } = deliveredSchema.parse(await call(api, 'GET', `/webhook/${id}/deliveries?state=delivered`));
    for (const { type, data } of items) {
      if (data.conversionId !== conversionId || data.platform === undefined || !missing.delete(data.platform)) continue;
      say(`  webhook      the shop was told: ${type} (${data.platform})`);
    }
  }
};

interface VisitorSurroundings {
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly demo: DemoAccount;
  /** Of the shop, which is then told. */
  readonly webhook?: DemoWebhook;
  readonly say: (text: string) => void;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const deliveryMaxMs = 90_000;

const sandboxEvents = z.array(z.object({ platform: z.string(), event: z.record(z.string(), z.unknown()) }));
const conversionSchema = z.object({
  id: z.number(),
  clientId: z.number(),
  leadId: z.number(),
  amount: z.number(),
  currency: z.string(),
  deliveries: z.array(z.object({ platform: z.string(), state: z.string() })),
});
type DemoConversion = z.infer<typeof conversionSchema>;
const reportMaxMs = 30_000;

/** The conversion of an order; undefined if there is none. */
const findConversion = async (
  { apiUrl, demo }: Pick<VisitorSurroundings, 'apiUrl' | 'demo'>,
  order: string,
): Promise<DemoConversion | undefined> => {
  const url = `${apiUrl}/client/conversion?externalReference=${order}`;
  const response = await fetch(url, { headers: { 'x-api-key': demo.apiKey } });
  return response.ok ? conversionSchema.parse(await response.json()) : undefined;
};

/** Waits at most 30 s until the shop has registered the conversion in the background. */
const registered = async (
  around: Pick<VisitorSurroundings, 'apiUrl' | 'demo'>,
  order: string,
): Promise<DemoConversion> => {
  for (const until = Date.now() + reportMaxMs; ; await pause(50)) {
    const conversion = await findConversion(around, order);
    if (conversion) return conversion;
    const shopLog = join(logFolder, 'shop.log');
    if (Date.now() > until) throw new Error(`the shop has not registered its ${order}. See ${shopLog}`);
  }
};

/** Opens a landing page and submits its form like a browser; returns the response. */
const submitPage = async (address: string): Promise<Response> => {
  const headers = { 'user-agent': browser };
  const shown = await fetch(address, { headers });
  const body = new URLSearchParams(hiddenFieldsIn(await shown.text()));
  return fetch(address, { method: 'POST', redirect: 'manual', headers, body });
};

/** Signs up at the target page and buys, like a browser; returns the number of the order. */
const buy = async (target: string, email: string): Promise<string> => {
  const submit = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(new URL(path, target), { method: 'POST', body: new URLSearchParams(fields) });
    return response.text();
  };
  const offer = await (await fetch(target)).text();
  const welcome = await submit('/sign-up', { ...hiddenFieldsIn(offer), email });
  const thanks = await submit('/buy', hiddenFieldsIn(welcome));
  const [, order] = /\/orders\/([\w-]+)/.exec(thanks) ?? [];
  if (order === undefined) throw new Error(`the shop at ${target} has no order`);
  return order;
};

/** Waits at most 90 s until the event has arrived at every platform, and prints each. */
const deliveriesArrived = async (
  { sandboxUrl, say }: VisitorSurroundings,
  eventId: string,
  platforms: readonly string[],
): Promise<void> => {
  const missing = new Set(platforms);
  for (const until = Date.now() + deliveryMaxMs; missing.size > 0; await pause(100)) {
    const names = [...missing].join(' and ');
    if (Date.now() > until)
      throw new Error(`no delivery to ${names} within ${deliveryMaxMs / 1_000} s. See the logs in ${logFolder}`);
    const events = sandboxEvents.parse(await (await fetch(`${sandboxUrl}/events`)).json());
    for (const { platform, event } of events) {
      if ((event.event_id ?? event.transactionId) !== eventId || !missing.delete(platform)) continue;
      say(`  delivery     ${platform} has received the conversion (event ${eventId})`);
    }
  }
};

/** The conversion of a visitor, and the number of the order. */
interface Carried {
  readonly id: number;
  readonly order: string;
}

/** Takes one visitor from the click to the deliveries to Meta and Google, and prints each step. */
const carryVisitorThrough = async (around: VisitorSurroundings): Promise<Carried> => {
  const { demo, say } = around;
  const unique = randomBytes(4).toString('hex');
  const clicked = `${demo.landingPage}?gclid=demo-gclid-${unique}&fbclid=demo-fbclid-${unique}&utm_campaign=demo`;
  say(`  click        ${clicked}`);
  const response = await submitPage(clicked);
  const target = response.headers.get('location') ?? '';
  say(`  lead         redirected to ${target}`);
  const order = await buy(target, `${unique}@example.com`);
  const { id, clientId, leadId, amount, currency } = await registered(around, order);
  say(`  client       ${clientId} registered by the shop with that lead reference`);
  say(`  conversion   ${id} of lead ${leadId}: ${currency} ${amount}`);
  const platforms = ['meta', 'google'];
  await deliveriesArrived(around, order, platforms);
  const api = { apiUrl: around.apiUrl, apiKey: demo.apiKey };
  if (around.webhook) await webhookArrived(api, around.webhook, { conversionId: id, platforms }, say);
  return { id, order };
};

/** Prints the sale of the visitor whom an earlier start has carried through; false if nothing is known of one. */
const showEarlierVisitor = async (around: VisitorSurroundings): Promise<boolean> => {
  const { demo, say } = around;
  const conversion = demo.order === undefined ? undefined : await findConversion(around, demo.order);
  if (!conversion) return false;
  say('Demonstration: the visitor of the first start, whose sale counts once:');
  const { id, clientId, leadId, amount, currency, deliveries } = conversion;
  say(`  client       ${clientId} registered by the shop`);
  say(`  conversion   ${id} of lead ${leadId}: ${currency} ${amount}`);
  for (const { platform, state } of deliveries) {
    const outcome = state === 'delivered' ? 'has received the conversion' : `delivery is ${state}`;
    say(`  delivery     ${platform} ${outcome} (event ${demo.order})`);
  }
  return true;
};

/** Carries one visitor through at the first start; later ones show that visitor. */
export const demonstrate = async (around: VisitorSurroundings): Promise<void> => {
  if (await showEarlierVisitor(around)) return;
  around.say('Demonstration: one visitor, from the click to Meta and Google:');
  const { order } = await carryVisitorThrough(around);
  storeDemo({ ...around.demo, order });
};
