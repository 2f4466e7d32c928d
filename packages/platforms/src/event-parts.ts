import { addressKind, plainAddress } from './address/index.ts';
import type { Attributed, AttributedConversion, AttributedLead, Currency } from '@leadback/domain';
import { secondMs } from './request.ts';
import { hashedIdentifier } from './person-parts.ts';

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

interface BrowserFacts {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** The visitor's IP address and user agent: platforms require both unhashed, and reject an invalid address. */
export const browserFacts = ({ ipAddress, userAgent }: Attributed['lead']): BrowserFacts => {
  const ip = publicAddress(ipAddress ?? '');
  const browser = userAgent?.trim();
  return { ...(ip !== undefined && { ip }), ...(browser && { userAgent: browser }) };
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

/** The URL of a page that the visitor landed on or came from, if its protocol is http or https. */
export const webPage = (seen: string | null): URL | undefined => {
  const url = URL.parse(seen ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};
