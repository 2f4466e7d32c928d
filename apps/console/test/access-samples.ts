import { randomInt } from 'node:crypto';
import { png, unique } from '@leadback/testing';
import type { PageDraft } from '../src/contract/pages.ts';

/** A request that an endpoint accepts in an account; `ids`: of the account. */
export interface Sample {
  readonly query?: string | ((ids: Ids) => string);
  readonly body?: (ids: Ids) => unknown;
  readonly id?: keyof Ids;
  /** Sent in place of a body. */
  readonly csv?: string;
  /** SQL that makes the record with the id $1 ready for one more call. */
  readonly before?: string;
}

export interface Ids {
  readonly delivery: number;
  readonly task: number;
  readonly connection: number;
  /** Another one each time. */
  readonly spareConnection: number;
  readonly source: number;
  /** Of a store that its owner connects. */
  readonly appSource: number;
  /** Another one each time. */
  readonly spareSource: number;
  readonly key: number;
  readonly dryRun: number;
  readonly list: number;
  readonly page: number;
  readonly domain: number;
  readonly webhook: number;
  /** Another one each time. */
  readonly spareWebhook: number;
  readonly webhookDelivery: number;
  readonly client: number;
  /** That a visitor asked for. */
  readonly erasure: string;
}

/** Each to a pixel of its own: a second connection to one is refused. */
const newConnection = () => ({
  platform: 'meta',
  content: { pixelId: String(randomInt(2 ** 40)), accessToken: 'token' },
  eventKinds: ['conversion'],
  eventNames: {},
});

const draft: PageDraft = {
  targetUrl: 'https://shop.example/',
  mode: 'page',
  title: '',
  text: '',
  buttonLabel: '',
  language: 'en',
  accentColor: '',
  logo: null,
  hero: null,
  askedFields: [],
  consentText: '',
  consentScope: 'sharing',
  privacyUrl: '',
  passedParameters: 'known',
};

// every endpoint of accounts has a line here
export const samples: Readonly<Record<string, Sample>> = {
  'get /accounts/:account/overview': { query: '?from=2026-11-01&to=2026-11-22' },
  'get /accounts/:account/first-steps': {},
  'get /accounts/:account/attention': {},
  'get /accounts/:account/undelivered': {},
  'post /accounts/:account/undelivered/count': { body: () => ({}) },
  'post /accounts/:account/undelivered/retry': { body: () => ({ state: 'failed' }) },
  'get /accounts/:account/tasks': {},
  'get /accounts/:account/tasks/:id': { id: 'task' },
  'get /accounts/:account/deliveries': {},
  'get /accounts/:account/deliveries/:id': { id: 'delivery' },
  'post /accounts/:account/deliveries/retry': { body: ({ delivery }) => ({ ids: [delivery] }) },
  'get /accounts/:account/connections': {},
  'post /accounts/:account/connections': { body: newConnection },
  'get /accounts/:account/connections/platforms': {},
  'post /accounts/:account/connections/check': { body: newConnection },
  'get /accounts/:account/connections/:id': { id: 'connection' },
  'post /accounts/:account/connections/:id/change': {
    id: 'connection',
    body: () => ({ content: { pixelId: '2' }, eventKinds: ['conversion'], eventNames: {} }),
  },
  'post /accounts/:account/connections/:id/check': { id: 'connection' },
  'post /accounts/:account/connections/:id/backfill': { id: 'connection', body: () => ({ isDryRun: false }) },
  'post /accounts/:account/connections/:id/delete': { id: 'spareConnection', body: () => ({ isDiscarding: false }) },
  'post /accounts/:account/connections/:id/pause': { id: 'connection' },
  'post /accounts/:account/connections/:id/resume': { id: 'connection' },
  'get /accounts/:account/sources': {},
  'post /accounts/:account/sources': { body: () => ({ kind: 'postback', isTest: true, content: {} }) },
  'get /accounts/:account/sources/kinds': {},
  'get /accounts/:account/sources/:id': { id: 'source' },
  'post /accounts/:account/sources/:id/change': { id: 'source', body: () => ({ label: 'shop', content: {} }) },
  'post /accounts/:account/sources/:id/secret': { id: 'source' },
  'post /accounts/:account/sources/:id/url': { id: 'source' },
  'post /accounts/:account/sources/:id/connect': { id: 'appSource' },
  'post /accounts/:account/sources/:id/connected': { id: 'appSource', body: () => ({ code: 'c', state: 's' }) },
  'post /accounts/:account/sources/:id/pause': { id: 'source' },
  'post /accounts/:account/sources/:id/resume': { id: 'source' },
  'post /accounts/:account/sources/:id/replay': { id: 'source' },
  'get /accounts/:account/sources/:id/events': { id: 'source' },
  'get /accounts/:account/sources/:id/sample': { id: 'source' },
  'post /accounts/:account/sources/:id/delete': { id: 'spareSource' },
  'get /accounts/:account/keys': {},
  'post /accounts/:account/keys': { body: () => ({ name: 'backend', isTest: true, scopes: ['read', 'register'] }) },
  'post /accounts/:account/keys/:id/revoke': { id: 'key' },
  'post /accounts/:account/settings': { body: () => ({ country: 'UY' }) },
  'post /accounts/:account/suspend': {},
  'post /accounts/:account/activate': {},
  'get /accounts/:account/audit': {},
  'post /accounts/:account/files/check': {},
  'post /accounts/:account/imports': { query: '?of=client', csv: 'leadReference\nx\n' },
  'post /accounts/:account/imports/preview': { query: '?of=client', csv: 'leadReference\nx\n' },
  'get /accounts/:account/imports': {},
  'get /accounts/:account/imports/template.csv': { query: '?of=client' },
  'get /accounts/:account/imports/:id': { id: 'dryRun' },
  'get /accounts/:account/imports/:id/rows': { id: 'dryRun', query: '?outcome=refused' },
  'post /accounts/:account/imports/:id/register': { id: 'dryRun' },
  'get /accounts/:account/imports/:id/result.csv': { id: 'dryRun' },
  'post /accounts/:account/reconciliations': {
    query: '?from=2026-10-01&to=2026-10-31',
    csv: 'conversionExternalReference,amount,currency\no1,1,USD\n',
  },
  'get /accounts/:account/reconciliations': {},
  'get /accounts/:account/reconciliations/:id': { id: 'list' },
  'get /accounts/:account/reconciliations/:id/rows': { id: 'list' },
  'get /accounts/:account/reconciliations/:id/rows.csv': { id: 'list' },
  'post /accounts/:account/reconciliations/:id/replay': {
    id: 'list',
    body: () => ({ outcomes: ['missing'], isDryRun: true }),
    before: 'update reconciliation set step = null where id = $1',
  },
  'get /accounts/:account/quality': { query: '?from=2026-11-01&to=2026-11-22' },
  'get /accounts/:account/funnels': { query: '?from=2026-11-01&to=2026-11-22' },
  'get /accounts/:account/webhooks': {},
  'post /accounts/:account/webhooks': {
    body: ({ spareWebhook }) => ({
      url: `http://127.0.0.1:9/${spareWebhook}`,
      events: ['import.finished'],
      isTest: true,
    }),
  },
  'get /accounts/:account/webhooks/:id': { id: 'webhook' },
  'post /accounts/:account/webhooks/:id': { id: 'webhook', body: () => ({ events: ['import.finished'] }) },
  'post /accounts/:account/webhooks/:id/secret': { id: 'webhook' },
  'post /accounts/:account/webhooks/:id/delete': { id: 'spareWebhook' },
  'post /accounts/:account/webhooks/:id/test': { id: 'webhook' },
  'get /accounts/:account/webhooks/:id/deliveries': { id: 'webhook' },
  'post /accounts/:account/webhooks/:id/retry': {
    id: 'webhook',
    body: ({ webhookDelivery }) => ({ deliveryId: webhookDelivery }),
  },
  'get /accounts/:account/pages': {},
  'post /accounts/:account/pages': {
    body: () => ({ slug: unique('page'), targetUrl: 'https://shop.example/', language: 'en' }),
  },
  'post /accounts/:account/pages/script': {
    body: () => ({ slug: `s-${randomInt(2 ** 40)}`, origins: ['https://shop.example'], waitsForConsent: false }),
  },
  'post /accounts/:account/pages/:id/script': {
    id: 'page',
    body: () => ({ origins: ['https://shop.example'], waitsForConsent: false }),
    before: `update landing_page set mode = 'script', origins = '{https://shop.example}' where id = $1`,
  },
  'get /accounts/:account/pages/:id/arrivals': { id: 'page' },
  'get /accounts/:account/server-arrivals': {},
  'get /accounts/:account/domains': {},
  'post /accounts/:account/domains': { body: () => ({ name: `go.s${randomInt(2 ** 40)}.example` }) },
  'post /accounts/:account/domains/:id/check': { id: 'domain' },
  'post /accounts/:account/domains/:id/remove': {
    id: 'domain',
    before: 'update own_domain set removed_at = null where id = $1',
  },
  'post /accounts/:account/pages/check': { body: () => ({ draft }) },
  'post /accounts/:account/pages/preview': { body: () => new URLSearchParams({ draft: JSON.stringify(draft) }) },
  'post /accounts/:account/pages/images': { body: () => png },
  'get /accounts/:account/pages/:id': { id: 'page' },
  'get /accounts/:account/pages/:id/unusable-clicks': { id: 'page' },
  'post /accounts/:account/pages/:id': { id: 'page', body: () => ({ draft, version: 'that of an earlier time' }) },
  'post /accounts/:account/pages/:id/switch': { id: 'page', body: () => ({ isOn: true }) },
  'post /accounts/:account/pages/:id/delete': {
    id: 'page',
    before: 'update landing_page set deleted_at = null where id = $1',
  },
  'post /accounts/:account/find': { body: () => ({ text: 'order-1' }) },
  'get /accounts/:account/story': { query: ({ client }) => `?client=${client}` },
  'post /accounts/:account/erasures/count': { body: () => ({ email: 'nobody@example.com' }) },
  'post /accounts/:account/erasures': { body: () => ({ reference: 'nobody' }) },
  'post /accounts/:account/erasures/:id/confirmation': { id: 'erasure' },
  'post /accounts/:account/erasures/:id/allowance': { id: 'erasure' },
  'get /accounts/:account/erasures': {},
  'get /accounts/:account/deliveries/:id/payload': { id: 'delivery' },
};
