import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataFolder } from './data-folder.ts';
import { type DemoAccount, demoSecrets, operate, type OperatorSurroundings, readStored } from './demo.ts';

/** The shops and payment services that the sandbox simulates. */
const shopKinds = ['woocommerce', 'tiendanube', 'mercadopago', 'shopify', 'stripe', 'webhook', 'postback'] as const;
type ShopKind = (typeof shopKinds)[number];

/** Where an order of each is made: `POST {url}/orders`. */
export const shopUrls = (sandboxUrl: string): Readonly<Record<ShopKind, string>> => {
  const urlOf = (kind: ShopKind) => `${sandboxUrl}/shops/${kind}`;
  return {
    woocommerce: urlOf('woocommerce'),
    tiendanube: urlOf('tiendanube'),
    mercadopago: urlOf('mercadopago'),
    shopify: urlOf('shopify'),
    stripe: urlOf('stripe'),
    webhook: urlOf('webhook'),
    postback: urlOf('postback'),
  };
};

/** Where the messages of the simulated sender have what a sale needs. */
const webhookMap = {
  conversionExternalReference: 'data.order.id',
  amount: 'data.total',
  currency: 'data.currency',
  email: 'data.buyer.email',
  phoneNumber: 'data.buyer.phone',
  leadReference: 'data.lead_reference',
  occurredAt: 'data.paid_at',
  when: { path: 'type', is: ['order.paid', 'order.partially_refunded'] },
  retractWhen: { path: 'type', is: ['order.refunded', 'order.cancelled'] },
};
const mapFile = join(dataFolder, 'demo-webhook-map.json');

// what the simulated shops have if they are told nothing else
const storeId = '5238476';
const shopName = 'mate-shop.myshopify.com';

/** The secret of a shop that makes its own, as it would show it. */
const newSecret = (kind: ShopKind): string =>
  `${kind === 'stripe' ? 'whsec_' : ''}${randomBytes(24).toString('base64url')}`;

const secretOptions = new Set(['--secret', '--access-token']);

/** What connects each shop: the options of `source create`, besides a secret that the shop has made. */
const shops: Readonly<Record<ShopKind, { readonly makesSecret: boolean; readonly options: readonly string[] }>> = {
  woocommerce: { makesSecret: false, options: [] },
  tiendanube: { makesSecret: true, options: ['--store', storeId, '--access-token', 'demo'] },
  mercadopago: { makesSecret: true, options: ['--access-token', 'demo'] },
  shopify: { makesSecret: true, options: ['--shop', shopName] },
  stripe: { makesSecret: true, options: [] },
  webhook: { makesSecret: false, options: ['--map', mapFile] },
  postback: { makesSecret: false, options: [] },
};

const sourceSchema = z.object({ url: z.string(), secret: z.string().optional() });
const sourcesSchema = z.object({ accountId: z.number(), sources: z.partialRecord(z.enum(shopKinds), sourceSchema) });
export type DemoSources = z.infer<typeof sourcesSchema>['sources'];
const sourcesFile = join(dataFolder, 'demo-sources.json');

/** Connects the simulated shops to the account to try; those of an earlier start stay as they are. */
export const demoSources = async (around: OperatorSurroundings, { accountId }: DemoAccount): Promise<DemoSources> => {
  const earlier = readStored(sourcesFile, sourcesSchema);
  const sources: DemoSources = earlier?.accountId === accountId ? { ...earlier.sources } : {};
  writeFileSync(mapFile, JSON.stringify(webhookMap), { mode: 0o600 });
  for (const kind of shopKinds) {
    if (sources[kind] !== undefined) continue;
    const { makesSecret, options } = shops[kind];
    const secret = makesSecret ? newSecret(kind) : undefined;
    const words = ['--account', String(accountId), '--kind', kind, '--label', 'Simulated', ...options];
    if (secret !== undefined) words.push('--secret', secret);
    if (words.some((word) => secretOptions.has(word))) words.push(demoSecrets);
    const made = sourceSchema.parse(await operate(around, 'source', 'create', ...words));
    sources[kind] = { ...made, ...(secret !== undefined && { secret }) };
    // the secret is shown only once
    writeFileSync(sourcesFile, JSON.stringify({ accountId, sources }), { mode: 0o600 });
  }
  return sources;
};

/** Tells the simulated shops where their messages go. They have forgotten it when the sandbox starts again. */
export const connectShops = async (sandboxUrl: string, apiUrl: string, sources: DemoSources): Promise<void> => {
  for (const [kind, url] of Object.entries(shopUrls(sandboxUrl))) {
    const source = sources[z.enum(shopKinds).parse(kind)];
    if (source === undefined) continue;
    // the API may have another port than at the start that made the source
    const settings = { url: new URL(new URL(source.url).pathname, apiUrl).href, secret: source.secret };
    const body = JSON.stringify(settings);
    const response = await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    if (!response.ok) throw new Error(`the simulated ${kind} took no source: ${await response.text()}`);
  }
};
