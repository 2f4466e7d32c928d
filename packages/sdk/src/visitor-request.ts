import type { LeadInput } from './api-types.ts';

/** A request of a visitor, as Express 4 and 5 have it. */
export interface VisitorRequest {
  readonly method: string;
  /** `http` or `https`, of the visitor's connection. */
  readonly protocol: string;
  readonly host?: string | undefined;
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

const cookieNames = ['_fbp', '_fbc', '_ttp', '_epik', '_scid', '_rdt_uuid', 'leadback'];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Those of pixels and our own alone: sessions of your visitors are nobody else's business. */
const cookiesIn = (header: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    header.split(';').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return cookieNames.includes(name.trim()) ? [[name.trim(), decoded(value.join('=').trim())]] : [];
    }),
  );

/**
 * What `registerLead` takes of a request for a page; undefined if it is no visit from an ad or a campaign: another page view, a prefetch,
 * an image or a script, a form.
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
    !/prefetch|prerender|preview/i.test(purpose);
  if (!isVisit || !clicked.test(originalUrl)) return undefined;
  return {
    url: `${protocol}://${request.host ?? header('host') ?? ''}${originalUrl}`,
    referrer: header('referer'),
    ip,
    userAgent: header('user-agent'),
    cookies: cookiesIn(header('cookie') ?? ''),
    globalPrivacyControl: header('sec-gpc') === '1',
  };
};
