import { type AttributedEvent, attributedOf, looksPersonal } from '@leadback/domain';
import { eachString } from './exchange.ts';
import type { PlatformEvent } from './definition.ts';

const hidden = '…';
// what the browser showed, in base64
const encoded = 'sessionAttributes';
// shorter texts, such as initials or a language, identify nobody, and would mask what only contains them
const lengthMin = 3;
const hash = /^[0-9a-f]{64}$/i;

/** The first characters tell one value from another. */
const masked = (text: string): string => (text.length > 8 ? `${text.slice(0, 4)}${hidden}` : hidden);

/** A URL without what follows its path: there are click ids, and perhaps more. */
const withoutQuery = (url: URL): string => {
  const { origin, pathname, search, hash: fragment } = url;
  return search === '' && fragment === '' ? url.href : `${origin}${pathname}?${hidden}`;
};

const personalValues = (event: AttributedEvent): readonly string[] => {
  const attributed = attributedOf(event);
  const { client, lead } = attributed;
  const { name, email, phoneNumber } = client;
  const { clickParameters, ipAddress, userAgent } = lead;
  const clicks = Object.entries(clickParameters).filter(([parameter]) => !parameter.startsWith('utm_'));
  // the partner's own, which may name the person
  const order = attributed.kind === 'conversion' ? attributed.externalReference : null;
  const references = [attributed.eventId, order, client.externalReference].filter(
    (reference) => reference !== null && looksPersonal(reference),
  );
  const values: string[] = [];
  eachString([name, email, phoneNumber, clicks.map(([, value]) => value), ipAddress, userAgent, references], (value) =>
    values.push(value.trim().toLowerCase()),
  );
  return values.filter((value) => value.length >= lengthMin);
};

/**
 * An event to show: hashes and what tells who somebody is (contact, click ids, cookies, network and browser) are masked.
 * `of`: what the event was built from.
 */
export const maskedEvent = (event: PlatformEvent, of: AttributedEvent): PlatformEvent => {
  const personal = personalValues(of);
  const maskedText = (text: string): string => {
    if (hash.test(text)) return masked(text);
    const url = /^https?:/i.test(text) ? URL.parse(text) : null;
    const shown = url ? withoutQuery(url) : text;
    const plain = shown.toLowerCase();
    return personal.some((value) => plain.includes(value)) ? masked(shown) : shown;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return maskedText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === encoded ? hidden : walk(one)]),
    );
  };
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [name, walk(value)]));
};
