import { clickIdNames, emailAddressOf, readClickParameters } from '@leadback/domain';
import { isGenuineLeadReference, type Keys } from '@leadback/domain/keys';
import { textsIn } from './body.ts';

// Behind a name or an escape, too: some shops drop what is percent-encoded, and with it the sign between name and value.
const shape = /(?:(?<![0-9A-Za-z])|(?<=serviceId|leadback|%3D|%22|%3A|%2E|%7B))([0-9A-Za-z]{22})(?![0-9A-Za-z])/gi;

const textLongest = 16_384;
// each needs an HMAC, and texts of 22 characters are rare
const candidatesMax = 200;
const foundMax = 20;

const decodedOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A text as it is, and as it was before it was put into a URL, once or twice. */
const formsOf = (text: string): readonly string[] => {
  if (!text.includes('%')) return [text];
  const once = decodedOnce(text);
  return once.includes('%') ? [text, once, decodedOnce(once)] : [text, once];
};

/**
 * The genuine lead references in any text of a value, each once, in order: alone, in a URL, a note, an attribute, or in the cookie
 * `leadback=<reference>.<seconds>…`. Whether the account has such a lead, the database knows.
 */
export const leadReferencesIn = (keys: Keys, value: unknown): string[] => {
  const judged = new Set<string>();
  const found: string[] = [];
  for (const text of textsIn(value)) {
    if (text.length < 22) continue;
    for (const form of formsOf(text.slice(0, textLongest))) {
      for (const [, candidate = ''] of form.matchAll(shape)) {
        if (judged.has(candidate)) continue;
        judged.add(candidate);
        if (isGenuineLeadReference(keys, candidate)) found.push(candidate);
        if (found.length === foundMax || judged.size === candidatesMax) return found;
      }
    }
  }
  return found;
};

const names: readonly string[] = clickIdNames;

/** The first URL with which an ad's click arrived: with a click id that its platform gives. */
export const clickUrlIn = (urls: readonly (string | undefined)[], nowMs: number): string | undefined =>
  urls.find((url): url is string => {
    if (url === undefined || !URL.canParse(url)) return false;
    const { clickParameters } = readClickParameters(new URL(url).search.slice(1), nowMs, () => undefined);
    return Object.keys(clickParameters).some((name) => names.includes(name));
  });

const email = /[^\s"'<>()[\]{},;:=&?|\\/]{1,64}@[^\s"'<>()[\]{},;:=&?|\\/@]{1,190}/g;
const phone = /^\+?[\d\s().-]{7,24}$/;
const marksMax = 50;

/** Whom a content may name, for an erasure: each email and lead reference in it, and what may be a phone number. */
export const personMarksIn = (keys: Keys, value: unknown) => {
  const emails = new Set<string>();
  const phoneNumbers = new Set<string>();
  for (const text of textsIn(value)) {
    const short = text.slice(0, textLongest);
    if (phoneNumbers.size < marksMax && phone.test(short)) phoneNumbers.add(short);
    if (emails.size === marksMax || !/@|%40/.test(short)) continue;
    for (const form of formsOf(short)) {
      for (const [found] of form.matchAll(email)) {
        const address = emailAddressOf(found);
        if (address !== undefined && emails.size < marksMax) emails.add(address);
      }
    }
  }
  return { emails: [...emails], phoneNumbers: [...phoneNumbers], leadReferences: leadReferencesIn(keys, value) };
};
