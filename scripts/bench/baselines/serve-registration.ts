// Bare `node:http` and `pg`: one lookup and one INSERT per request, one after the other, each on any of ten connections.
import type { IncomingMessage } from 'node:http';
import { ownPool } from './own-pool.ts';
import { serve } from './serve.ts';

const pool = ownPool();
// what a request contains is not checked here
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

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
  return request.url === '/client'
    ? await registerClient(sent.leadReference, [sent.externalReference, sent.email])
    : await registerConversion(sent.clientExternalReference, [
        sent.conversionExternalReference,
        sent.amount,
        sent.currency,
      ]);
};

serve((request, response) => {
  void register(request).then((id) => {
    const body = JSON.stringify({ id: Number(id) });
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
