import type { LeadInput } from './api-types.ts';

/** A request of a visitor, as Express 4 and 5 have it. */
export interface VisitorRequest {
  readonly method: string;
  /** `http` or `https`, of the visitor's connection. */
  readonly protocol: string;
  /** Without the port. */
  readonly hostname?: string | undefined;
  readonly originalUrl: string;
  readonly ip?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The parameters of a URL that show that an ad or a campaign brought the visitor, beside `utm_…`; in any case. */
export const clickParameterNames: readonly string[] = [
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'ttclid',
  'msclkid',
  'li_fat_id',
  'epik',
  'ScCid',
  'twclid',
  'rdt_cid',
  'oppref',
  'gad_source',
  'gad_campaignid',
];

// Also behind separators that were changed on the way: the API reads what there is. Other pages need no request.
const clicked = new RegExp(`(?:[?&;]|%26)(?:utm_|(?:${clickParameterNames.join('|')})=)`, 'i');

// browsers that say nothing of what they want
const isFile = /\.(?:avif|css|gif|ico|jpe?g|js|json|map|mjs|png|svg|txt|webp|woff2?|xml)(?:\?|$)/i;

const cookieNames = ['_fbp', '_fbc', '_ttp', '_epik', '_scid', '_rdt_uuid', 'leadback'];

/** The cookie of a page of yours that keeps the click which could not be registered when the visitor arrived. */
const waitingName = 'leadback_click';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

type Cookies = Readonly<Record<string, string>>;

/** Those of pixels and our own alone: sessions of your visitors are nobody else's business. */
const cookiesIn = (header: string): Cookies =>
  Object.fromEntries(
    header.split(';').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      const isOurs = cookieNames.includes(name.trim()) || name.trim() === waitingName;
      return isOurs ? [[name.trim(), decoded(value.join('=').trim())]] : [];
    }),
  );

interface Waiting {
  readonly url: string;
  readonly occurredAt: string;
}

/** The click that waits in the browser, unless a later one is registered. */
const waitingIn = (cookies: Cookies, host: string): Waiting | undefined => {
  const [, seconds, path] = /^(\d{10})(\/.*)$/.exec(cookies[waitingName] ?? '') ?? [];
  const registered = Number(cookies['leadback']?.split('.')[1] ?? 0);
  if (seconds === undefined || path === undefined || registered >= Number(seconds)) return undefined;
  return { url: host + path, occurredAt: new Date(Number(seconds) * 1_000).toISOString() };
};

// browsers keep 4,096 bytes
const waitingLongest = 3_500;

const isPrivate = ({ consent, globalPrivacyControl }: LeadInput): boolean =>
  consent?.adUserData === 'denied' || globalPrivacyControl === true;

/**
 * The value of `Set-Cookie` by which the browser keeps a click for a day, until a later page view registers it. Undefined: the visitor
 * does not want that, or no browser would keep it.
 */
export const waitingCookie = (lead: LeadInput): string | undefined => {
  const { origin, protocol } = new URL(lead.url);
  const click = encodeURIComponent(lead.url.slice(origin.length));
  if (isPrivate(lead) || click.length > waitingLongest) return undefined;
  const clickedAt = Math.floor(Date.parse(lead.occurredAt ?? new Date().toISOString()) / 1_000);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${waitingName}=${clickedAt}${click}; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax${secure}`;
};

/** The host with its port, as Express knows it: the setting `trust proxy` says whether what a proxy tells counts. */
const hostOf = ({ hostname }: VisitorRequest, sent = ''): string =>
  hostname === undefined || sent === hostname || sent.startsWith(`${hostname}:`) ? sent : hostname;

/**
 * What `registerLead` takes of a request for a page; undefined if it is no visit from an ad or a campaign: another page view, a prefetch,
 * an image or a script, a form. A click that waits in the browser counts for any page view.
 */
export const leadOfRequest = (request: VisitorRequest): LeadInput | undefined => {
  const { method, protocol, originalUrl, ip } = request;
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const purpose = `${header('sec-purpose') ?? ''} ${header('purpose') ?? ''} ${header('x-moz') ?? ''}`;
  const isVisit =
    method === 'GET' &&
    (header('sec-fetch-dest') ?? 'document') === 'document' &&
    !/prefetch|prerender|preview/i.test(purpose) &&
    !isFile.test(originalUrl);
  const written = header('cookie') ?? '';
  const isClick = clicked.test(originalUrl);
  if (!isVisit || !(isClick || written.includes(waitingName))) return undefined;
  const { [waitingName]: _, ...cookies } = cookiesIn(written);
  const host = `${protocol}://${hostOf(request, header('host'))}`;
  const waiting = isClick ? undefined : waitingIn(cookiesIn(written), host);
  if (!isClick && waiting === undefined) return undefined;
  return {
    ...(waiting ?? { url: host + originalUrl, referrer: header('referer') }),
    ip,
    userAgent: header('user-agent'),
    cookies,
    globalPrivacyControl: header('sec-gpc') === '1',
  };
};
