// A bare server of `node:http`, in a process of its own: what our apps are measured beside. `SERVES` names one of three.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { Pool } from 'pg';
import { z } from 'zod';
import { respond } from './bench-process.ts';

const settings = z
  .object({
    SERVES: z.enum(['page', 'redirect', 'registration']),
    DATABASE_URL: z.string().optional(),
    PAGE_URL: z.string().optional(),
    PAGE_HEADERS: z.string().default('{}'),
  })
  .parse(process.env);
// ten connections, as many as an app has
const pool = new Pool({ connectionString: settings.DATABASE_URL, max: 10, application_name: 'baseline' });

/** The same bytes as the landing page, from memory. */
const page = async (): Promise<RequestListener> => {
  // not fetch, which would decompress the page
  const requestHeaders = z.record(z.string(), z.string()).parse(JSON.parse(settings.PAGE_HEADERS));
  const { rawHeaders, body } = await new Promise<{ rawHeaders: string[]; body: Buffer }>((resolve, reject) => {
    get(settings.PAGE_URL ?? '', { headers: requestHeaders }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('error', reject)
        .once('end', () => resolve({ rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) }));
    }).once('error', reject);
  });
  // node:http writes these itself
  const written = new Set(['date', 'connection', 'keep-alive']);
  const headers = rawHeaders.flatMap((name, index) => {
    const isName = index % 2 === 0;
    return isName && !written.has(name.toLowerCase()) ? [name, rawHeaders[index + 1] ?? ''] : [];
  });
  return (_request, response) => {
    response.writeHead(200, headers).end(body);
  };
};

/** One INSERT per click, then the redirect with the reference of the lead. */
const redirect: RequestListener = (request, response) => {
  const url = new URL(`http://landing.example${request.url}`);
  const reference = randomUUID();
  const clickParameters = JSON.stringify(Object.fromEntries(url.searchParams));
  const values = [reference, url.href, request.headers['user-agent'], request.socket.remoteAddress, clickParameters];
  const text = `insert into lead (reference, landing_url, user_agent, ip_address, click_parameters) values ($1, $2, $3, $4, $5)`;
  void pool.query({ name: 'insert-lead', text, values }).then(() => {
    const location = `https://shop.example/offer?serviceId=${reference}`;
    response.writeHead(302, { location, 'content-length': 0 }).end();
  });
};

const idOf = async (name: string, text: string, values: readonly unknown[]): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>({ name, text, values: [...values] });
  const [found] = rows;
  if (found === undefined) throw new Error(`${name} found nothing`);
  return found.id;
};

const registerClient = async (leadReference: unknown, values: readonly unknown[]): Promise<string> => {
  const lead = await idOf('find-lead', 'select id from lead where reference = $1', [leadReference]);
  const insert = 'insert into client (lead_id, external_reference, email) values ($1, $2, $3) returning id';
  return await idOf('insert-client', insert, [lead, ...values]);
};

const registerConversion = async (clientReference: unknown, values: readonly unknown[]): Promise<string> => {
  const client = await idOf('find-client', 'select id from client where external_reference = $1', [clientReference]);
  const insert =
    'insert into conversion (client_id, external_reference, amount, currency) values ($1, $2, $3, $4) returning id';
  return await idOf('insert-conversion', insert, [client, ...values]);
};

// what a request contains is not checked here
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** As cheap as Node allows: its own helpers for streams cost several times as much. */
const bodyOf = (request: IncomingMessage): Promise<unknown> =>
  new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => resolve(JSON.parse(text)));
    request.on('error', reject);
  });

const register = async (request: IncomingMessage): Promise<string> => {
  const sent = await bodyOf(request);
  if (!isObject(sent)) throw new Error(`${request.url} received no object`);
  if (request.url === '/client') return registerClient(sent.leadReference, [sent.externalReference, sent.email]);
  const values = [sent.conversionExternalReference, sent.amount, sent.currency];
  return registerConversion(sent.clientExternalReference, values);
};

/** One lookup and one INSERT per request, one after the other, each on any of the connections. */
const registration: RequestListener = (request, response) => {
  void register(request).then((id) => {
    const body = JSON.stringify({ id: Number(id) });
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
};

const listener = settings.SERVES === 'page' ? await page() : { redirect, registration }[settings.SERVES];
const server = createServer(listener).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');
respond(async () => `http://127.0.0.1:${address.port}`);
