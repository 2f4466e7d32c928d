import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  givenServer,
  eventually,
  findLead,
  givenConnection,
  givenLandingPage,
  hiddenFieldsIn,
  tcpProxy,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { allDelivered } from '../support/deliveries.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenPorts, givenStack, type TestStack } from '../support/given-stack.ts';

const valueSchema = z
  .object({ stringValue: z.string(), intValue: z.coerce.number() })
  .partial()
  .transform(({ stringValue, intValue }) => stringValue ?? intValue);

const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((attributes) => Object.fromEntries(attributes.map(({ key, value }) => [key, value])));

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema> & { readonly service: string };

/** An OpenTelemetry collector that stores what it receives (OTLP over HTTP, JSON). */
export const givenCollector = async () => {
  const bodies: string[] = [];
  const server = await givenServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const spans = (): CollectedSpan[] =>
    bodies
      .flatMap((body) => exportSchema.parse(JSON.parse(body)).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({ ...span, service: String(resource.attributes['service.name']) })),
        ),
      );

  /** Spans as lines of service and name, indented below their parents, in alphabetical order. */
  const linesOf = (trace: readonly CollectedSpan[], parent?: string, indent = ''): string[] =>
    trace
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .map(({ service, name, spanId }) => [
        `${indent}${service.replace('leadback-', '')}: ${name}`,
        ...linesOf(trace, spanId, `${indent}  `),
      ])
      .toSorted((one, other) => one.join('\n').localeCompare(other.join('\n')))
      .flat();

  return {
    ...server,
    spans,
    /** All request bodies. */
    received: () => bodies.join('\n'),
    linesOf: (traceId: string) => linesOf(spans().filter((span) => span.traceId === traceId)),
  };
};

export type TestCollector = Awaited<ReturnType<typeof givenCollector>>;

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Canary';
// personal data of a visitor and a client
const ana = { name: 'Ana Canaria', email: 'ana.canaria@example.com', phoneNumber: '+54 9 11 2345-6789' };
const clickId = 'Cj0-Canary';
const foreignTrace = '0af7651916cd43dd8448eb211c80319c';
const imports = [new URL('../support/log-opentelemetry.ts', import.meta.url).href];

const visitorAndSale = (...hints: readonly string[]) => [
  'landing: POST /:slug',
  '  api: register client',
  '  api: register conversion',
  ...hints.map((line) => `  ${line}`),
];
const hint = 'api: send delivery.hint.v1';
const below = (line: string, lines: readonly string[]) => [line, ...lines.map((one) => `  ${one}`)];
const processed = (platform: string) =>
  below(`feedback-worker: process delivery:${platform}`, [`feedback-worker: POST ${platform}`]);
const sent = (platform: string) => below(hint, processed(platform));

const buys = (partner: Partner, clientExternalReference: string) =>
  partner.post('/client/conversion', { clientExternalReference, amount: 10, currency: 'USD' });

describe('one trace', () => {
  const ours = new AsyncDisposableStack();
  let collector: TestCollector;
  let stack: TestStack;
  let toBroker: Awaited<ReturnType<typeof tcpProxy>>;
  let toDatabase: Awaited<ReturnType<typeof tcpProxy>>;
  const traces = { atOnce: '', unannounced: '', buffered: '' };
  const secrets: string[] = Object.values(ana);

  /** A visitor who continues and sends a foreign trace; returns the lead reference that the shop receives. */
  const visit = async ({ slug }: { slug: string }): Promise<string> => {
    const address = `${stack.landingUrl}/${slug}?gclid=${clickId}&fbclid=${clickId}&ttclid=${clickId}`;
    const headers = { 'user-agent': userAgent, traceparent: `00-${foreignTrace}-b7ad6b7169203331-01` };
    const own = hiddenFieldsIn(await (await fetch(address, { headers })).text());
    const body = new URLSearchParams({ ...own, ...ana, phone: ana.phoneNumber });
    const redirect = await fetch(address, { method: 'POST', redirect: 'manual', headers, body });
    const reference = new URL(redirect.headers.get('location') ?? '').searchParams.get('serviceId') ?? '';
    secrets.push(reference);
    return reference;
  };
  const becomesClient = async (partner: Partner, leadReference: string, externalReference: string) => {
    const client = { leadReference, externalReference, ...ana };
    await eventually(async () => expect((await partner.post('/client', client)).status).toBe(201));
  };
  const traceOf = async (reference: string): Promise<string> => {
    const { traceParent } = await findLead(stack.database.em(), reference);
    return traceParent?.split('-')[1] ?? 'none';
  };
  const logged = (times: number, words: string) =>
    eventually(async () => expect(await stack.timesLogged('api', words)).toBeGreaterThanOrEqual(times));

  beforeAll(async () => {
    collector = ours.use(await givenCollector());
    stack = ours.use(await givenStack());
    toBroker = ours.use(await tcpProxy(stack.broker.url));
    toDatabase = ours.use(await tcpProxy(stack.database.url));
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await Promise.all([
      stack.start('landing', { settings, databaseUrl: toDatabase.url }),
      stack.start('api', { settings, imports, amqpUrl: toBroker.url }),
      stack.start('feedback-worker', { settings }),
    ]);
    const partner = await givenPartner(stack);
    secrets.push(partner.key, clickId);
    const askedFields = ['name', 'email', 'phone'] as const;
    const page = await givenLandingPage(stack.database.em(), {
      account: partner.account,
      askedFields: [...askedFields],
    });
    await logged(1, 'connected to RabbitMQ');

    // without RabbitMQ a worker finds the deliveries itself
    const unannounced = await visit(page);
    await becomesClient(partner, unannounced, 'unannounced');
    toBroker.cut();
    await logged(1, 'no connection to RabbitMQ');
    await buys(partner, 'unannounced');
    await allDelivered(stack.database);
    await toBroker.heal();
    await logged(2, 'connected to RabbitMQ');

    const settingsOfTiktok = { account: partner.account, platform: 'tiktok' } as const;
    await givenConnection(stack.database.em(), settingsOfTiktok);
    const atOnce = await visit(page);
    await becomesClient(partner, atOnce, 'at once');
    await buys(partner, 'at once');
    await allDelivered(stack.database);

    toDatabase.cut();
    const buffered = await visit(page);
    await toDatabase.heal();
    await becomesClient(partner, buffered, 'buffered');
    await buys(partner, 'buffered');
    await allDelivered(stack.database);

    Object.assign(traces, {
      atOnce: await traceOf(atOnce),
      unannounced: await traceOf(unannounced),
      buffered: await traceOf(buffered),
    });
    // the apps export their remaining spans when they stop
    await Promise.all(stack.running().flatMap((app) => (app.name === 'sandbox' ? [] : [app.stop()])));
  });
  afterAll(() => ours.disposeAsync());

  const allSent = ['google', 'meta', 'tiktok'].flatMap(sent);

  it('one trace connects the landing request, api, RabbitMQ, worker and the request to each platform', () => {
    expect(collector.linesOf(traces.atOnce)).toEqual(visitorAndSale(...allSent));
  });

  it('a trace continues if no hint reaches a worker, which finds the deliveries itself', () => {
    const found = ['google', 'meta'].flatMap(processed);
    expect(collector.linesOf(traces.unannounced)).toEqual(visitorAndSale(hint, hint, ...found));
  });

  it('a trace continues after a lead was buffered', () => {
    expect(collector.linesOf(traces.buffered)).toEqual([
      ...visitorAndSale(...allSent),
      '  landing: record buffered lead',
    ]);
  });

  it('a trace and the request of the partner link to each other', () => {
    const spans = collector.spans();
    const done = spans.find(({ traceId, name }) => traceId === traces.atOnce && name === 'register conversion');
    const request = spans.find(({ spanId }) => spanId === done?.links[0]?.spanId);
    expect(request).toMatchObject({
      name: 'POST /api/v1/client/conversion',
      links: [{ traceId: traces.atOnce, spanId: done?.spanId }],
      attributes: { 'http.route': '/api/v1/client/conversion', 'http.response.status_code': 201 },
    });
    expect(request?.parentSpanId).toBeUndefined();
  });

  it('the span of a delivery contains the request to the platform and its outcome', () => {
    const ofTrace = collector.spans().filter(({ traceId }) => traceId === traces.atOnce);
    const request = ofTrace.find(({ name }) => name === 'POST google');
    const delivery = ofTrace.find(({ spanId }) => spanId === request?.parentSpanId);
    expect(request?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'leadback.request.events': 1,
      'leadback.delivery.attempt': 1,
      'leadback.delivery.outcome': 'delivered',
    });
    const times = [delivery?.startTimeUnixNano, request?.startTimeUnixNano, request?.endTimeUnixNano];
    expect(times).toEqual(times.toSorted((one = 0n, other = 0n) => Number(one - other)));
  });

  it('an incoming trace of a visitor becomes a link, not the parent', () => {
    const visits = collector.spans().filter(({ name }) => name === 'POST /:slug');
    expect(visits.map(({ traceId }) => traceId)).not.toContain(foreignTrace);
    expect(visits.map(({ links }) => links.map(({ traceId }) => traceId))).toEqual(visits.map(() => [foreignTrace]));
  });

  it('log lines contain the trace id', async () => {
    const request = `"lead_trace_id":"${traces.atOnce}","msg":"request"`;
    const settled = `"trace_id":"${traces.atOnce}","msg":"delivery settled"`;
    await eventually(async () => {
      expect(await stack.timesLogged('api', request)).toBe(1);
      expect(await stack.timesLogged('feedback-worker', settled)).toBe(3);
    });
  });

  it('spans contain no personal data, click ids or keys', () => {
    const received = collector.received();
    expect(received).toContain('leadback.delivery.outcome');
    for (const secret of [...secrets, '127.0.0.1', 'Canary', 'gclid']) expect(received).not.toContain(secret);
  });

  /** Starts and stops another api; returns its exit and its log. */
  const lifeOfApi = async (endpoint: string) => {
    const [logFolder, ports] = [await mkdtemp(join(inject('temporaryFolder'), 'logs-')), await givenPorts()];
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    // what it loads is seen only where its packages are apart
    const api = await stack.start('api', { logFolder, ports, imports, settings, isBundled: false });
    const { status } = await fetch(`http://127.0.0.1:${ports.api}/api/v1`);
    await api.stop();
    return { status, end: await api.exited, log: await readFile(join(logFolder, 'api.log'), 'utf8') };
  };

  it('does not load OpenTelemetry if no collector is set', async () => {
    const { log, ...life } = await lifeOfApi('');
    expect(life).toEqual({ status: 401, end: 'status 0' });
    expect(log).not.toContain('trace_id');
    expect([...new Set(log.match(/(?<=loads opentelemetry ).*/g))]).toEqual(['api']);
  });

  it('an app stops normally if the collector is unavailable', async () => {
    const { log, ...life } = await lifeOfApi('http://127.0.0.1:1');
    expect(life).toEqual({ status: 401, end: 'status 0' });
    expect(log).toContain('loads opentelemetry sdk-trace');
  });
});
