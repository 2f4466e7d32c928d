import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataFolder } from './data-folder.ts';
import { type Operate, type OperatorSurroundings, operate } from './operator.ts';

const demoSchema = z.object({
  accountId: z.number(),
  apiKey: z.string(),
  landingPage: z.string(),
  directPage: z.string(),
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
const demoSecrets = '--from-argv-i-know';

const options = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

const readDemo = (): DemoAccount | undefined => {
  try {
    return demoSchema.parse(JSON.parse(readFileSync(demoFile, 'utf8')));
  } catch {
    return undefined; // none yet, or an incomplete write
  }
};

/** Creates an account with a page, a key and connections. */
export const createDemoAccount = async (
  run: Operate,
  { database, shopUrl }: Pick<DemoSurroundings, 'database' | 'shopUrl'>,
): Promise<DemoAccount> => {
  const { id } = created.parse(await run('account', 'create', '--name', 'Demonstration', '--rate-limit', '10000'));
  const account = ['--account', String(id)];
  const createPage = async (slug: string, ...more: string[]) => {
    const create = (name: string) => run('page', 'create', ...account, '--slug', name, '--target', shopUrl, ...more);
    // an external database may have a page with this slug
    return page.parse(await create(slug).catch(() => create(`${slug}-${randomBytes(3).toString('hex')}`)));
  };
  const [key, landingPage, directPage] = await Promise.all([
    run('key', 'issue', ...account, '--name', 'demonstration'),
    createPage('demo', ...options(demoPage)),
    createPage('demo-direct', '--mode', 'direct'),
    run('connection', 'create', ...account, ...options(metaConnection), demoSecrets),
    run('connection', 'create', ...account, ...options(googleConnection), demoSecrets),
  ]);
  return {
    accountId: id,
    apiKey: issued.parse(key).key,
    landingPage: landingPage.url,
    directPage: directPage.url,
    database,
    shopUrl,
  };
};

/** Reuses the account of an earlier start if database, shop and landing URL are the same. */
export const demoAccount = async (around: DemoSurroundings): Promise<DemoAccount> => {
  const earlier = readDemo();
  const fits =
    earlier?.database === around.database &&
    earlier.shopUrl === around.shopUrl &&
    earlier.landingPage.startsWith(`${around.landingUrl}/`);
  if (earlier && fits && (await around.isKnown(earlier.apiKey))) return earlier;
  const demo = await createDemoAccount((...args) => operate(around, ...args), around);
  writeFileSync(demoFile, JSON.stringify(demo), { mode: 0o600 });
  return demo;
};
