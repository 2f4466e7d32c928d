export interface LeadbackOptions {
  /** Your API key (`lb_…`), for example from an environment variable. Never ship it in a browser or an app. */
  readonly apiKey: string;
  /** URL of the API with `/api/v1`. */
  readonly baseUrl: string;
  /** Longest duration of one attempt, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt. Default: 5. */
  readonly retriesMax?: number | undefined;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface Settings {
  readonly apiKey: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly fetch: typeof globalThis.fetch;
}

const isVisibleAscii = (text: string) => /^[\x21-\x7e]+$/.test(text);

// a key with a line break would be quoted in the error of `fetch`
const parseApiKey = (apiKey: unknown): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw new TypeError('apiKey: must not be empty');
  if (!isVisibleAscii(key)) throw new TypeError('apiKey: expected visible ASCII characters without spaces');
  return key;
};

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

const parseBaseUrl = (baseUrl: unknown): string => {
  const url = parseUrl(String(baseUrl));
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl: expected a URL with its scheme, such as https://api.example.com/api/v1');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl: must not contain a user or password');
  return (url.origin + url.pathname).replace(/\/+$/, '');
};

const parseNumber = (name: string, value: number, smallest: number): number => {
  if (!Number.isFinite(value) || value < smallest) throw new TypeError(`${name}: expected a number from ${smallest}`);
  return value;
};

/** Throws a `TypeError` that names the option; it never quotes a value. */
export const parseSettings = ({ apiKey, baseUrl, timeoutMs = 10_000, retriesMax = 5, fetch }: LeadbackOptions) => {
  const settings: Settings = {
    apiKey: parseApiKey(apiKey),
    baseUrl: parseBaseUrl(baseUrl),
    timeoutMs: parseNumber('timeoutMs', timeoutMs, 1),
    retriesMax: parseNumber('retriesMax', retriesMax, 0),
    // looked up for each request, so that what replaces it later is used
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  };
  return settings;
};
