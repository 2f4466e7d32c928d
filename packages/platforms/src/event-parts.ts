import { hash } from 'node:crypto';
import { addressKind, plainAddress } from './webhook-address.ts';
import {
  isNobodysEmail,
  type Attributed,
  type AttributedConversion,
  type AttributedEvent,
  type AttributedLead,
  type ClickIdName,
  type ClickParameters,
  clickIdNames,
  clickTimeOf,
  type Currency,
  decimalIn,
  inMinorUnits,
  readClickParameters,
  sha256Shape,
} from '@leadback/domain';
import { minuteMs, secondMs } from './exchange.ts';

/** SHA-256 of the UTF-8 text in lower-case hex, as the platforms require. */
export const sha256 = (text: string): string => hash('sha256', text);

/**
 * All forms of an identifier, normalized and hashed; empty if the text is not usable. An identifier that is already
 * hashed is only lower-cased, as in Meta's parameter builder.
 */
export const hashedForms = (
  written: string | null | undefined,
  normalForms: (text: string) => readonly string[],
): readonly string[] => {
  const text = written?.trim() ?? '';
  if (text === '') return [];
  return sha256Shape.test(text) ? [text.toLowerCase()] : normalForms(text).map(sha256);
};

/** The same for an identifier with one form; `undefined` if the text is not usable. */
export const hashedIdentifier = (
  written: string | null | undefined,
  normalise: (text: string) => string | undefined,
): string | undefined => {
  const [hashed] = hashedForms(written, (text) => {
    const normal = normalise(text);
    return normal ? [normal] : [];
  });
  return hashed;
};

// "no punctuation", and neither blanks nor symbols (as in Meta's parameter builder); accents stay
const notOfTheName = /[^\p{L}\p{M}\p{N}]/gu;

export const normalName = (written: string) => written.normalize('NFC').toLowerCase().replace(notOfTheName, '');

/** A part of a name, hashed: lower-case, without punctuation and blanks. */
export const hashedName = (written: string | undefined): string | undefined => hashedIdentifier(written, normalName);

const plausible = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** An email trimmed and lower-cased, which is all that most platforms require; `undefined` if it is not one, or nobody's. */
export const plainEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return plausible.test(email) && !isNobodysEmail(email) ? email : undefined;
};

const decimal = /^\d+(\.\d+)?$/;

/** An exact decimal as a number; `undefined` if the text is not one. */
export const amountValue = (amount: string): number | undefined => {
  const value = decimal.test(amount) ? Number(amount) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

/**
 * The IP address of a visitor in the form for platforms: an IPv4-mapped one as IPv4. `undefined` if it is invalid or of a
 * private network, which is a proxy that is not trusted. Those for documentation are allowed: they are unassigned, and
 * tests use them. A visitor's may also be of a network for a special purpose, such as a tunnel.
 */
export const publicAddress = (written: string): string | undefined => {
  const address = plainAddress(written);
  const kind = addressKind(address);
  return kind === undefined || kind === 'private' || kind === 'loopback' ? undefined : address;
};

// An email, also one that was encoded twice; a phone number with its plus, which a query has as a blank; a place. A bare number may be
// the id of a campaign, an ad or a product.
const personal = /@|%(?:25)*40|(?:^\s|\+|%(?:25)*2b)\s*\d[\d\s().-]{6,}|-?\d{1,3}\.\d{3,}\s*[,;]\s*-?\d{1,3}\.\d{3,}/i;

const isPersonal = (text: string): boolean => personal.test(text);

interface BrowserFacts {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** The visitor's IP address and user agent: platforms require both unhashed, and reject an invalid address. */
export const browserFacts = ({ ipAddress, userAgent }: Attributed['lead']): BrowserFacts => {
  const ip = publicAddress(ipAddress ?? '');
  const browser = userAgent?.trim();
  // apps and extensions write into it what they like, also whose they are
  return { ...(ip !== undefined && { ip }), ...(browser && !isPersonal(browser) && { userAgent: browser }) };
};

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);

const withoutBlanks = (text: string) => text.replace(/\s/g, '').toLowerCase();

/** The account's own reference of the client, hashed; `undefined` if it has none. */
export const givenExternalId = ({ externalReference }: Attributed['client']): string | undefined =>
  hashedIdentifier(externalReference, withoutBlanks);

/** Whether the account has a reference of the client. */
export const hasGivenExternalId = ({ externalReference }: Attributed['client']): boolean =>
  withoutBlanks(externalReference ?? '') !== '';

/**
 * The client id of this installation, hashed: sent if the account has no reference, although no pixel ever reported it.
 * It includes the installation's id, because the hash of a bare number could belong to another shop's customer.
 */
export const ownExternalId = ({
  installationId,
  client,
}: Pick<Attributed, 'installationId' | 'client'>): string | undefined =>
  hashedIdentifier(`leadback-${installationId}-${client.id}`, withoutBlanks);

// language, script and region of BCP 47; TikTok accepts neither extensions nor words such as `hello`
const languageShape = /^[a-z]{2,3}$/;

const localeIn = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined; // not a language tag
  }
};

/**
 * The preferred language of a browser (`es-AR`, `zh-Hant-TW`): language, script and region of the first tag of
 * `Accept-Language`; `undefined` if it names no language.
 */
export const localeOf = (acceptLanguage: string | null): string | undefined => {
  const locale = localeIn(acceptLanguage?.split(',')[0]?.split(';')[0]?.trim() ?? '');
  if (locale === undefined || !languageShape.test(locale.language)) return undefined;
  return [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join('-');
};

/** What an event is worth; `undefined` for a lead, and if the amount is not a decimal. */
export const moneyOf = (
  event: AttributedConversion | AttributedLead,
): { readonly value: number; readonly currency: Currency } | undefined => {
  if (event.kind === 'lead') return undefined;
  const value = amountValue(event.amount);
  return value === undefined ? undefined : { value, currency: event.currency };
};

/** A product that was sold, as platforms are told of it. */
interface Product {
  readonly id: string;
  /** Undefined: it is not known, or could be somebody's. */
  readonly name: string | undefined;
  readonly quantity: number;
  readonly price: number | undefined;
}

/** What was sold, of which platforms know the ids from the account's catalogue. Undefined: nothing that one could know. */
export const productsOf = (event: AttributedConversion | AttributedLead): readonly Product[] | undefined => {
  if (event.kind === 'lead') return undefined;
  const products = event.items.flatMap(({ id, name, quantity = 1, price }) =>
    id === undefined || isPersonal(id)
      ? []
      : [
          {
            id,
            name: name !== undefined && !isPersonal(name) ? name : undefined,
            quantity,
            price: price === undefined ? undefined : amountValue(price),
          },
        ],
  );
  return products.length === 0 ? undefined : products;
};

/** A conversion of which `moneyOf` says nothing. */
export const withoutValue = (event: AttributedConversion): AttributedConversion => ({ ...event, amount: '' });

/** How much of a later total is net: as large a part as of the amount. Rounded half up to the minor unit. */
const netOf = (total: string, { amount, netAmount, currency }: AttributedConversion): string => {
  const whole = inMinorUnits(amount, currency);
  if (netAmount === null || whole === 0n) return total;
  const doubled = 2n * inMinorUnits(total, currency) * inMinorUnits(netAmount, currency);
  return decimalIn(currency, (doubled + whole) / (2n * whole));
};

/**
 * An event whose amounts are net. A correction has the same part of its total: partners correct what was paid, and seldom know what
 * they earn then. Without a net amount it stays as it is: the sale would have no value else.
 */
export const withNetValue = (event: AttributedEvent): AttributedEvent => {
  if ('conversion' in event) {
    const { conversion } = event;
    const [amount, takenBack] = [netOf(event.amount, conversion), netOf(event.takenBack, conversion)];
    return { ...event, amount, takenBack, conversion: { ...conversion, amount: netOf(conversion.amount, conversion) } };
  }
  return event.kind === 'conversion' ? { ...event, amount: netOf(event.amount, event) } : event;
};

const webAddress = (seen: string | null): URL | undefined => {
  const url = URL.parse(seen ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};

const isPersonalSegment = (segment: string): boolean => isPersonal(segment.replaceAll(/%(?:25)*20/g, ' '));

/**
 * The address of a page that the visitor saw, as it may leave: scheme, host, path, `utm_*` and the platform's own click ids.
 * Advertisers' links have emails, names and tokens in other parameters and sometimes in the path, and a platform gets contact
 * data only hashed. `undefined`: it is no address of a web page.
 */
export const pageAddress = (seen: string | null, clickIds: readonly ClickIdName[]): string | undefined => {
  const url = webAddress(seen);
  if (!url) return undefined;
  const path = url.pathname.split('/').map((segment) => (isPersonalSegment(segment) ? '-' : segment));
  const { clickParameters } = readClickParameters(url.search.slice(1), Infinity);
  const kept = Object.entries(clickParameters).filter(
    ([name, value]) => clickIds.some((one) => one === name) || (name.startsWith('utm_') && !isPersonal(value)),
  );
  const query = new URLSearchParams(kept).toString();
  return `${url.origin}${path.join('/')}${query === '' ? '' : `?${query}`}`;
};

/** The site that a visitor came from. What its address says besides is somebody else's: a search, a mailbox, a session. */
export const siteAddress = (seen: string | null): string | undefined => {
  const url = webAddress(seen);
  return url && `${url.origin}/`;
};

// clocks differ
const clickMarginMs = 5 * minuteMs;

// of the form fb.<subdomain index>.<time in ms>.<id>
const fbcTimeOf = (fbc: string): number => Number(fbc.split('.')[2]);

/**
 * An event without the clicks that came after it, and without the page of a visit that did: a click cannot have caused what was
 * before it, and platforms reject such an event. `undefined` if there are none.
 */
export const withoutLaterClicks = <Event extends Attributed>(event: Event): Event | undefined => {
  const { lead, occurredAt } = event;
  const latestMs = occurredAt.getTime() + clickMarginMs;
  const { _fbc: fbc } = lead.clickParameters;
  const later = new Set<string>([
    ...clickIdNames.filter((name) => clickTimeOf(lead, name).getTime() > latestMs),
    ...(fbc !== undefined && fbcTimeOf(fbc) > latestMs ? ['_fbc'] : []),
  ]);
  const isVisitLater = lead.createdAt.getTime() > latestMs;
  const kept = Object.entries(lead.clickParameters).filter(
    ([name]) => !later.has(name) && !(isVisitLater && name.startsWith('gad_')),
  );
  if (kept.length === Object.keys(lead.clickParameters).length && !isVisitLater) return undefined;
  const clickParameters: ClickParameters = Object.fromEntries(kept);
  const seen = isVisitLater ? { landingUrl: null, referrer: null } : {};
  return { ...event, lead: { ...lead, clickParameters, ...seen } };
};
