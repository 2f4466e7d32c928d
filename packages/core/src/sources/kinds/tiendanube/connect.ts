import { readJson, textAt, valueAt } from '../../body.ts';
import { fetchJson } from '../../fetch-json.ts';
import type { Connected, Connecting, FetchTools } from '../../kind.ts';

interface App {
  /** The names of the settings of the environment. */
  readonly apiUrl: string;
  readonly appsUrl: string;
  readonly appId: string;
  readonly secret: string;
  /** Undefined: not connected yet. */
  readonly store: string | undefined;
  readonly accessToken: string | undefined;
}

/** Requests without it are refused. */
export const userAgent = 'Leadback (sales of the store)';

const wanted = ['order/paid', 'order/updated', 'order/edited', 'order/cancelled', 'order/voided'];

// a person waits for it
const timeoutMs = 10_000;

const parsed = (body: string): unknown => {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
};

const failed = (failure: Extract<Connected, { kind: 'failed' }>['failure']): Connected => ({ kind: 'failed', failure });

/** An error may come with any status: what counts is whether there is a token. */
const exchange = async (
  { appsUrl, appId, secret, store }: App,
  { request, urlOf }: FetchTools,
  code: string,
): Promise<Connected> => {
  const reply = await request('POST', {
    url: `${urlOf(appsUrl)}/apps/authorize/token`,
    headers: { accept: 'application/json', 'user-agent': userAgent },
    json: { client_id: appId, client_secret: secret, grant_type: 'authorization_code', code },
    timeoutMs,
  });
  if (reply.kind === 'unreachable' || reply.status === 429 || reply.status >= 500) return failed('unavailable');
  const given = parsed(reply.body);
  const [accessToken, user] = [textAt(given, 'access_token'), textAt(given, 'user_id')];
  if (accessToken === undefined || user === undefined) {
    return failed(reply.status === 401 || textAt(given, 'error') === 'invalid_client' ? 'app-refused' : 'code-refused');
  }
  if (store !== undefined && user !== store) return failed('other-store');
  if (!/\b(?:read|write)_orders\b/.test(textAt(given, 'scope') ?? '')) return failed('scope-missing');
  return { kind: 'connected', content: { store: user, accessToken } };
};

/** Webhooks are made by the API alone. One that exists is left as it is. */
const subscribe = async (
  { apiUrl, store, accessToken }: App,
  { request, urlOf }: FetchTools,
  url: string,
): Promise<readonly string[]> => {
  if (store === undefined || accessToken === undefined) return wanted;
  const hooks = {
    url: `${urlOf(apiUrl)}/v1/${store}/webhooks`,
    headers: { authentication: `bearer ${accessToken}`, 'user-agent': userAgent },
  };
  const known = await fetchJson({ request }, { ...hooks, url: `${hooks.url}?per_page=200` });
  const listed = known.kind === 'fetched' ? parsed(known.body) : [];
  const list: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const has = (event: string) => list.some((one) => valueAt(one, 'event') === event && valueAt(one, 'url') === url);
  const unsent: string[] = [];
  // the API takes two requests per second
  for (const event of wanted) {
    if (has(event)) continue;
    const made = await fetchJson({ request }, { ...hooks, json: { event, url } });
    if (made.kind !== 'fetched') unsent.push(event);
  }
  return unsent;
};

/** The store lets its app in at a page of Tiendanube, and the app gets a token for the code with which the person returns. */
export const connectingOf = (app: App): Connecting => ({
  pageOf: ({ urlOf }, state) =>
    `${urlOf(app.appsUrl)}/apps/${app.appId}/authorize?${String(new URLSearchParams({ state }))}`,
  exchange: (tools, code) => exchange(app, tools, code),
  subscribe: (tools, url) => subscribe(app, tools, url),
});
