import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalCodes, warningCodes } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../apps/api/src/documentation/api-document.ts';
import { endpoints } from '../../apps/api/src/endpoints/index.ts';
import { Leadback } from '../../packages/sdk/src/index.ts';
import { apiTypes, operationsOf, sdkOperations } from '../../scripts/sdk/api-types.ts';
import { root } from '../support/code-blocks.ts';

const document = apiDocument(endpoints);
const operations = operationsOf(document);

const methodOf = (operationId: string) => {
  const operation = sdkOperations[operationId];
  return operation && 'method' in operation ? operation.method : undefined;
};

const order = { email: 'ana@example.com', conversionExternalReference: 'order-1', amount: 1, currency: 'USD' } as const;

/** A call of each method with all that its operation takes. */
const calls: Readonly<Record<string, (leadback: Leadback) => PromiseLike<unknown>>> = {
  checkKey: (leadback) => leadback.checkKey(),
  registerLead: (leadback) => leadback.registerLead({ url: 'https://shop.example/?gclid=Cj0KCQ' }),
  registerClient: (leadback) => leadback.registerClient({ leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' }),
  registerClients: (leadback) =>
    leadback.registerClients([{ leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' }], { dryRun: true }),
  registerConversion: (leadback) => leadback.registerConversion(order),
  registerConversions: (leadback) => leadback.registerConversions([order], { dryRun: true }),
  adjustConversion: (leadback) => leadback.adjustConversion({ conversionId: 31, kind: 'retract' }),
  getClient: (leadback) => leadback.getClient(7),
  eraseClient: (leadback) => leadback.eraseClient({ email: 'ana@example.com' }),
  allowClient: (leadback) => leadback.allowClient({ email: 'ana@example.com' }),
  getErasure: (leadback) => leadback.getErasure('b5RdF0eNs8ItC4hVx2PqWy'),
  getConversion: (leadback) => leadback.getConversion(31),
  findConversion: (leadback) => leadback.findConversion('order-1'),
  async listConversions(leadback) {
    const all = { from: '2026-11-01', to: '2026-11-30', platform: 'meta', state: 'failed', limit: 2 } as const;
    for await (const conversion of leadback.listConversions(all)) expect(conversion).toBeDefined();
  },
  createWebhook: (leadback) =>
    leadback.createWebhook({ url: 'https://shop.example/hook', events: ['delivery.failed'] }),
  listWebhooks: (leadback) => leadback.listWebhooks(),
  changeWebhook: (leadback) => leadback.changeWebhook(3, { state: 'paused' }),
  deleteWebhook: (leadback) => leadback.deleteWebhook(3),
  rotateWebhookSecret: (leadback) => leadback.rotateWebhookSecret(3),
  testWebhook: (leadback) => leadback.testWebhook(3),
  async listWebhookDeliveries(leadback) {
    for await (const { id } of leadback.listWebhookDeliveries(3, { state: 'failed' })) expect(id).toBeDefined();
  },
  retryWebhookDelivery: (leadback) => leadback.retryWebhookDelivery(3, 812),
};

/** The first request of a call, as an operation describes it; `after` is of the second page. */
const requestOf = async (method: string) => {
  const requests: Request[] = [];
  const fetch: typeof globalThis.fetch = (...sending) => {
    requests.push(new Request(...sending));
    const next = requests.length === 1 ? 'next' : null;
    return Promise.resolve(Response.json({ items: [], next, results: [], counts: {} }));
  };
  await calls[method]?.(new Leadback({ apiKey: 'lb_test', baseUrl: 'https://api.example.com/api/v1', fetch }));
  const [first = new Request('https://no.request')] = requests;
  const names = new Set(requests.flatMap(({ url }) => [...new URL(url).searchParams.keys()]));
  if (first.headers.has('idempotency-key')) names.add('idempotency-key');
  const path = new URL(first.url).pathname
    .replace('/api/v1', '')
    .replace('/812', '/{deliveryId}')
    .replace('/b5RdF0eNs8ItC4hVx2PqWy', '/{id}')
    .replace(/\/\d+(?=\/|$)/, '/{id}');
  return { name: `${first.method} ${path}`, parameters: [...names] };
};

describe('the SDK', () => {
  it('has a method for every operation of the API, or a reason why not', () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual(
      operations.map(({ operationId }) => (operationId in sdkOperations ? operationId : 'neither method nor reason')),
    );
  });

  it('has the types that `node scripts/run.mjs sdk-types` writes from the schemas of the API', () => {
    const file = join(root, 'packages', 'sdk', 'src', 'api-types.ts');
    const input = apiTypes(document, refusalCodes, warningCodes);
    const formatted = execFileSync(
      join(root, 'node_modules', '.bin', 'biome'),
      ['format', `--stdin-file-path=${file}`],
      {
        cwd: root,
        input,
        encoding: 'utf8',
      },
    );
    expect(readFileSync(file, 'utf8')).toBe(formatted);
  });

  it.each(operations.filter(({ operationId }) => methodOf(operationId)))(
    'sends what $operationId takes',
    async ({ operationId, name, parameters }) => {
      const documented = parameters.filter((parameter) => parameter.in !== 'path').map((parameter) => parameter.name);
      const request = await requestOf(methodOf(operationId) ?? '');
      expect({ ...request, parameters: request.parameters.toSorted() }).toEqual({
        name,
        parameters: documented.toSorted(),
      });
    },
  );
});
