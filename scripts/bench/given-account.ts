import { z } from 'zod';
import type { AppSettings, BenchStack } from './bench-stack.ts';
import { type Asked, requestNumber } from './load/load.ts';
import { steadyLoad } from './measure-load.ts';
import { say } from './say.ts';
import type { Bench } from './part.ts';
import { sendOnce } from './send-once.ts';

const clientsCount = 100;
// until V8 has optimized what is called often
export const warmUpSeconds = 5;

const withKey = z.object({ key: z.string() });
const references = z.array(z.object({ reference: z.string() }));

/** As a browser sends them. */
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
} as const;

/** A visitor's click on an ad of Meta and Google, at the page of `givenAccount`: 302 if its mode is `direct`. */
export const clickAt = (landingUrl: string, expected: 200 | 302): Asked => ({
  url: `${landingUrl}/bench?gclid=bench&fbclid=bench`,
  method: 'GET',
  headers: browser,
  expected,
});

const connections = {
  meta: 'connection create --account 1 --platform meta --pixel-id 1234567890 --access-token t --from-argv-i-know',
  google:
    'connection create --account 1 --platform google --customer-id 1234567890 --conversion-action-id 1 --client-id c --client-secret s --refresh-token r --from-argv-i-know',
} as const;

interface Account {
  readonly mode?: 'direct' | 'page';
  readonly platforms?: readonly (keyof typeof connections)[];
}

/** Creates an account with a landing page; returns its API key as a header. */
export const givenAccount = async ({ operator }: BenchStack, { mode = 'direct', platforms = [] }: Account = {}) => {
  say('  creating an account');
  await operator('account create --name Bench --rate-limit 1000000');
  await operator(`page create --account 1 --slug bench --mode ${mode} --target https://shop.example/offer`);
  for (const platform of platforms) await operator(connections[platform]);
  const { key } = withKey.parse(await operator('key issue --account 1 --name bench'));
  return { 'x-api-key': key };
};

/** Records leads by clicks at the landing app, which runs until then, and returns their references. */
export const givenLeads = async (stack: BenchStack): Promise<string[]> => {
  await using _landing = await stack.startApp('landing');
  const { url, headers } = clickAt(stack.landingUrl, 302);
  await Promise.all(Array.from({ length: clientsCount }, () => sendOnce(url, { headers, expected: 302 })));
  const { rows } = await stack.pool.query('select reference from lead');
  if (rows.length !== clientsCount) throw new Error(`${clientsCount} clicks recorded ${rows.length} leads`);
  return references.parse(rows).map(({ reference }) => reference);
};

/** Registers clients of these leads in turn. */
export const clientAt = (url: string, headers: Asked['headers'], leads: string[], own = requestNumber): Asked => ({
  url: `${url}/client`,
  method: 'POST',
  headers,
  body: [
    '{"leadReference":"',
    { next: leads },
    '","externalReference":"C',
    own,
    '","email":"c',
    own,
    '@shop.example"}',
  ],
  expected: 201,
});

/** Registers conversions of these clients in turn; `O` and the request's own piece is also the id of its event. */
export const conversionAt = (
  url: string,
  headers: Asked['headers'],
  clients: string[],
  own = requestNumber,
): Asked => ({
  url: `${url}/client/conversion`,
  method: 'POST',
  headers,
  body: [
    '{"clientExternalReference":"',
    { next: clients },
    '","conversionExternalReference":"O',
    own,
    '","amount":10,"currency":"USD"}',
  ],
  expected: 201,
});

/** An account with a hundred clients and a running api; returns the request that registers conversions. */
export const givenClients = async (stack: BenchStack, account: Account = {}, ofApi: AppSettings = {}) => {
  const headers = await givenAccount(stack, account);
  const leads = await givenLeads(stack);
  const api = await stack.startApp('api', ofApi);
  const clients = leads.map((_, index) => `C${index + 1}`);
  const register = (leadReference: string, index: number): Promise<void> => {
    const body = JSON.stringify({ leadReference, externalReference: clients[index], email: `c${index}@shop.example` });
    return sendOnce(`${stack.apiUrl}/client`, { method: 'POST', headers, body, expected: 201 });
  };
  await Promise.all(leads.map(register));
  return { api, headers, clients, conversion: conversionAt(stack.apiUrl, headers, clients) };
};

/** Some load, and up-to-date statistics. */
export const warmUp = async (bench: Bench, { pool }: Pick<BenchStack, 'pool'>, asked: Asked): Promise<void> => {
  say('  warming up');
  await steadyLoad(bench, asked, { seconds: warmUpSeconds });
  await pool.query('vacuum analyze');
};
