// The script on the pages of an advertiser. It is part of each page view there: small, without dependencies, talking to no
// host but its own. It must not throw into the page or delay it. Browsers from 2020 on: Safari 13.1, Chrome 80, Firefox 74.

/** `granted` or `denied`, in the terms of Google's consent mode. */
type Word = string;

interface Api {
  readonly reference: () => Promise<string | null>;
  readonly consent: (word: Word) => void;
}

/** What pages push for Google's consent mode, among other things. */
interface Pushed {
  readonly 0?: unknown;
  readonly 1?: unknown;
  readonly 2?: Readonly<Record<string, Word | undefined>>;
}

/** Of IAB's Transparency and Consent Framework. */
interface TcData {
  readonly eventStatus: string;
  readonly gdprApplies?: boolean;
  readonly purpose: { readonly consents: Readonly<Record<number, boolean | undefined>> };
}

declare global {
  interface Window {
    leadback?: Api;
    dataLayer?: (Pushed | undefined)[];
    __tcfapi?: (command: 'addEventListener', version: 2, listener: (data: TcData, isDone: boolean) => void) => void;
  }
  interface Document {
    readonly prerendering?: boolean;
  }
  interface Navigator {
    readonly globalPrivacyControl?: boolean;
  }
}

const nothing = () => {};

const nowSeconds = () => (Date.now() / 1000) >>> 0;

/** Since the click of what the browser keeps. */
const secondsSince = (text: string) => nowSeconds() - Number(text.split('.')[1]);

/** Browsers can forbid storage. No text: reads; an empty one: removes. */
const stored = (area: 'localStorage' | 'sessionStorage', text?: string): string => {
  try {
    const its = window[area];
    if (text) its.setItem('leadback', text);
    else if (text === '') its.removeItem('leadback');
    return its.getItem('leadback') || '';
  } catch {
    return '';
  }
};

const start = (d: Document): void => {
  const tag = d.currentScript;
  // not an element with this id
  if (window.leadback?.reference || !tag || !('src' in tag)) return;
  const { consent: said, page } = tag.dataset;
  // `/{slug}.js` is the script under a name that no blocker knows
  const endpoint = tag.src.replace(/[^/]*$/, (file) => `${page || file.split('.')[0]}/lead`);

  // ---- requests

  let sending: Promise<void> | undefined;
  /** Sends again what failed. */
  let retry: () => unknown = nothing;

  const send = async (
    url: string,
    cookies: Readonly<Record<string, string>>,
    done: (issued?: string) => void,
    tries = 1,
  ): Promise<void> => {
    const body = JSON.stringify({ url, referrer: d.referrer, cookies, consent });
    retry = nothing;
    try {
      const response = await fetch(endpoint, { method: 'POST', body, keepalive: true });
      if (response.status > 428) throw response;
      done(/"(\w{22})"/.exec(await response.text())?.[1]);
    } catch {
      retry = () => send(url, cookies, done, tries + 1);
      setTimeout(() => retry(), 1000 << tries);
    }
  };

  const withdraw = (leadback: string) => send(location.origin, { leadback }, nothing);

  // ---- consent

  let isWaiting = said ? said === 'wait' : !!window.__tcfapi;
  let isDenied = false;
  let consent: { readonly adUserData: Word; readonly adPersonalization: Word } | undefined;

  const say = (adUserData: Word, adPersonalization = adUserData): void => {
    isWaiting = false;
    consent = { adUserData, adPersonalization };
    isDenied = adUserData === 'denied';
    if (isDenied) retry = nothing;
  };

  const google: Record<string, Word | undefined> = {};

  /** Google's consent mode. */
  const hear = (...pushed: (Pushed | undefined)[]): void =>
    pushed.forEach((entry) => {
      if (entry?.[0] !== 'consent') return;
      const {
        ad_storage: storing,
        ad_user_data: sharing = storing,
        ad_personalization: using,
      } = Object.assign(google, entry[2]);
      const word = storing === 'denied' ? storing : sharing;
      if (entry[1] === 'default') {
        // refused before anybody was asked. One for some regions counts: where the visitor is, the script does not know
        if (word === 'denied' && !consent) isWaiting = true;
      } else if (word) say(word, using);
    });

  // ---- what the browser keeps: `<reference>.<seconds of the click>.<hashes of the last clicks>`

  let kept = '';
  // 90 days; with Global Privacy Control, for this visit
  const isPrivate = navigator.globalPrivacyControl;
  const secondsKept = isPrivate ? 86_400 : 7_776_000;

  const cookies = (): Record<string, string> => {
    const found: Record<string, string> = {};
    for (const [, key = '', value = ''] of d.cookie.matchAll(
      /\b(leadback|_(?:fb[cp]|ttp|epik|scid|rdt_uuid))=([^;]*)/g,
    ))
      found[key] = value;
    return found;
  };

  /** For the broadest domain that the browser accepts; without text, deletes it for all. */
  const write = (text: string): void => {
    const parts = location.hostname.split('.');
    let domain = '';
    do {
      const part = parts.pop();
      domain = part ? `.${part}${domain}` : '';
      d.cookie = `leadback=${text};path=/;samesite=lax;max-age=${secondsKept - secondsSince(text) || 0}${
        domain && `;domain=${domain}`
      }${location.protocol === 'https:' ? ';secure' : ''}`;
    } while (domain && cookies()['leadback'] !== text);
    // last: other tabs hear of it
    stored('localStorage', isPrivate ? '' : text);
  };

  // ---- forms

  let reference = '';
  /** What a form may have that is ours to replace. */
  let previous = '';

  const fill = (): void =>
    d
      .querySelectorAll<HTMLInputElement>('input[name=leadReference],input[name=serviceId],input[data-leadback]')
      .forEach((field) => {
        if (field.value === reference || !['', previous].includes(field.value)) return;
        // past the setter by which frameworks notice their own changes
        Reflect.set(HTMLInputElement.prototype, 'value', reference, field);
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      });

  const keep = (text: string): void => {
    previous = reference;
    kept = text;
    reference = text.slice(0, 22);
    write(text);
    fill();
    d.dispatchEvent(new CustomEvent('leadback:reference', { detail: reference }));
  };

  // ---- clicks

  let seen = '';
  /** A click to send: its URL, and `x` with a hash of its click ids; `u` with one of its campaign if it has none. */
  let clickUrl = '';
  let clickHash = '';

  /** Finds a click that this page has not seen. */
  const seek = (url: string): void => {
    const ids = url.match(/\b(?:(?:g|fb|tt|tw)clid|[gw]braid|li_fat_id|msclkid|epik|sccid|rdt_cid|oppref)=[^&;#]+/gi);
    let number = 0;
    for (const one of String(ids || url.match(/\b(?:utm|gad)_\w+=[^&;#]+/gi) || ''))
      number = (number * 31 + one.charCodeAt(0)) >>> 0;
    const hash = (ids ? 'x' : 'u') + number.toString(36);
    if (!number || seen.includes(hash)) return;
    seen += hash;
    clickUrl = url;
    clickHash = hash;
  };
  const look = () => seek(d.URL);

  const capture = (url: string, hash: string): void => {
    clickUrl = '';
    const hashes = kept.split('.')[2] || '';
    // a campaign without click ids for half an hour; without hashes, the advertiser's server has captured it
    if ((hashes || hash).includes(hash) && (secondsSince(kept) < 1800 || (hashes && hash > 'x'))) return;
    const done = (issued?: string) => {
      stored('sessionStorage', '');
      const text = `${issued}.${nowSeconds()}.${(hash + hashes).slice(0, 40)}`;
      if (issued) (isDenied ? withdraw : keep)(text);
    };
    // a landing page has recorded it
    const known = /[?&]serviceId=(\w{22})\b/.exec(url)?.[1];
    if (known) return done(known);
    stored('sessionStorage', url);
    sending = send(url, { ...cookies(), leadback: kept }, done);
  };

  // ---- the page

  let timer = 0;

  const update = (): void => {
    timer = 0;
    try {
      look();
      if (d.prerendering || isWaiting) return;
      const text = cookies()['leadback'] || stored('localStorage');
      const found = secondsSince(text) < secondsKept ? text : kept;
      if (isDenied) {
        stored('sessionStorage', '');
        if (!found || seen.includes(found)) return;
        seen = found;
        void withdraw(found);
        return keep('');
      }
      // another page may have changed it
      if (found !== kept) keep(found);
      if (clickUrl) capture(clickUrl, clickHash);
      fill();
    } catch {
      // an error of ours is none of the page
    }
  };

  const soon = () => {
    timer = timer || setTimeout(update, 99);
  };

  const wrap = <Name extends string, Args extends unknown[]>(
    object: Record<Name, (...args: Args) => unknown>,
    method: Name,
    first: (...args: Args) => void,
  ): void => {
    const original = object[method];
    object[method] = (...args) => {
      first(...args);
      soon();
      return original.apply(object, args);
    };
  };

  window.leadback = {
    // forms wait for it: not for ever, and not for the visitor's consent
    reference: async () => {
      await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 3000))]);
      return reference || null;
    },
    consent: (word) => {
      say(word);
      update();
    },
  };

  if (said && !isWaiting) say(said);
  const layer = (window.dataLayer = window.dataLayer || []);
  hear(...layer);
  wrap(layer, 'push', hear);
  type Navigation = Parameters<History['pushState']>;
  wrap<'pushState', Navigation>(history, 'pushState', look);
  wrap<'replaceState', Navigation>(history, 'replaceState', look);
  seek(stored('sessionStorage'));
  // before somebody has changed the URL
  performance.getEntriesByType('navigation').forEach((arrival) => seek(arrival.name));
  update();
  new MutationObserver(soon).observe(d, { childList: true, subtree: true });
  for (const type of ['storage', 'submit', 'pageshow', 'prerenderingchange']) addEventListener(type, update, true);
  window.__tcfapi?.('addEventListener', 2, (data, isDone) => {
    if (!isDone || data.eventStatus === 'cmpuishown') return;
    const { 1: storing, 3: profiles, 4: ads } = data.purpose.consents;
    if (data.gdprApplies === false) isWaiting = false;
    else say(storing ? 'granted' : 'denied', profiles && ads ? 'granted' : 'denied');
    update();
  });
  addEventListener('online', () => retry());
};

try {
  start(document);
} catch {
  // an old or locked browser: the page works without
}
