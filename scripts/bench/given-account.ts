import { z } from 'zod';
import type { BenchStack } from './bench-stack.ts';
import { type Asked, rateOf, send } from './load.ts';

const clientsCount = 100;

const withKey = z.object({ key: z.string() });
const withReference = z.array(z.object({ reference: z.string() }));

// what either platform needs to recognize the visitor
const click = {
  method: 'GET',
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' },
  expected: 302,
} as const;

/** A visitor's click on an ad of Meta and Google, at the page of `givenAccount`. */
export const clickAt = ({ landingUrl }: BenchStack): Asked => ({
  ...click,
  url: `${landingUrl}/bench?gclid=bench&fbclid=bench`,
});

/** Creates an account with a landing page, connected to Meta and Google; returns its API key as a header. */
export const givenAccount = async ({ operator }: BenchStack) => {
  await operator('account create --name Bench --rate-limit 1000000');
  await operator('page create --account 1 --slug bench --mode direct --target https://shop.example/offer');
  await operator('connection create --account 1 --platform meta --pixel-id 1234567890 --access-token t');
  await operator(
    'connection create --account 1 --platform google --customer-id 1234567890 --conversion-action-id 1 --client-id c --client-secret s --refresh-token r',
  );
  const { key } = withKey.parse(await operator('key issue --account 1 --name bench'));
  return { 'x-api-key': key };
};

/** Records leads by clicks at the landing app, which runs until then, and returns their references. */
export const givenLeads = async (stack: BenchStack): Promise<string[]> => {
  await using _landing = await stack.startApp('landing');
  await Promise.all(Array.from({ length: clientsCount }, () => send(clickAt(stack))));
  const { rows } = await stack.pool.query('select reference from lead');
  return withReference.parse(rows).map(({ reference }) => reference);
};

/** The request that registers the next client. */
export const clientOf = ({ apiUrl }: BenchStack, headers: Asked['headers'], references: readonly string[]): Asked => {
  let number = 0;
  return {
    url: `${apiUrl}/client`,
    ...(headers && { headers }),
    body: () => {
      const leadReference = references[number % references.length];
      number += 1;
      return JSON.stringify({ leadReference, externalReference: `C${number}`, email: `c${number}@shop.example` });
    },
    expected: 201,
  };
};

/** The body of a conversion; the reference is also the id of its event. */
export const conversionOf = (reference: string, client: number): string =>
  JSON.stringify({
    clientExternalReference: `C${1 + (client % clientsCount)}`,
    conversionExternalReference: reference,
    amount: 10,
    currency: 'USD',
  });

/** An account with a hundred clients and a running api; returns the request that registers the next conversion. */
export const givenClients = async (stack: BenchStack) => {
  const headers = await givenAccount(stack);
  const references = await givenLeads(stack);
  const api = await stack.startApp('api');
  const client = clientOf(stack, headers, references);
  await Promise.all(references.map(() => send(client)));
  let number = 0;
  const body = () => {
    number += 1;
    return conversionOf(`O${number}`, number);
  };
  const conversion: Asked = { url: `${stack.apiUrl}/client/conversion`, headers, body, expected: 201 };
  return { api, conversion };
};

/** Two seconds of load, and up-to-date statistics: plans made for empty tables are reused until then. */
export const warmUp = async ({ pool }: BenchStack, callers: number, work: () => Promise<void>): Promise<void> => {
  await rateOf({ seconds: 0, callers }, work);
  await pool.query('vacuum analyze');
};
