import { cleaned } from '@leadback/domain';
// `max`: with less metadata, unassigned numbers such as +54 9 15… count as valid
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

const parse = (text: string, country?: string): PhoneNumber | undefined => {
  const number = parsePhoneNumberFromString(
    text,
    country !== undefined && isSupportedCountry(country)
      ? { defaultCountry: country, extract: false }
      : { extract: false },
  );
  return number?.isValid() ? number : undefined;
};

const telUri = /^tel:\s*(?<number>[^;]*)(?<parameters>.*)$/i;
const phoneContext = /;phone-context=(?<prefix>\+[\d().-]+)/i;

/** The number of a `tel:` URI (RFC 3966), without extension and other parameters but with its context. */
const withoutUri = (text: string): string => {
  const { number, parameters = '' } = telUri.exec(text)?.groups ?? {};
  if (number === undefined) return text;
  return number.startsWith('+') ? number : (phoneContext.exec(parameters)?.groups?.['prefix'] ?? '') + number;
};

// `(+54) 11 …`, `(0054 11) …`, `(+54 9 11) …`: the country in brackets, optionally with more
const bracketedCountry = /^[([]\s*(?<begin>(?:\+|00)[^()[\]]*)[)\]]/;

/**
 * A phone number in E.164 (`+5491123456789`), or `undefined` if it is not valid or its country is unknown. A written +
 * or 00 decides; then the country of the account, if the number is valid there; then the digits, if they begin with a
 * country code. A wrong number would be worse than none: its hash could be another person's.
 */
export const phoneNumberInE164 = (written: string, country: string): string | undefined => {
  // NFKC converts full-width digits and the full-width plus
  const text = withoutUri(cleaned(written.normalize('NFKC')))
    .replace(bracketedCountry, '$<begin> ')
    .replace(/^00/, '+');
  const found = text.startsWith('+') ? parse(text, country) : (parse(text, country) ?? parse(`+${text}`, country));
  return found?.number;
};

const argentina = '+54';
const argentineMobile = '+549';

/** Argentine mobile numbers have a 9 after the country code when dialled from abroad, but many people leave it out. */
const otherArgentineForm = (e164: string): string | undefined => {
  if (!e164.startsWith(argentina)) return undefined;
  return e164.startsWith(argentineMobile)
    ? argentina + e164.slice(argentineMobile.length)
    : argentineMobile + e164.slice(argentina.length);
};

const formsOf = (written: string, country: string): readonly string[] => {
  const e164 = phoneNumberInE164(written, country);
  if (e164 === undefined) return [];
  const otherForm = otherArgentineForm(e164);
  const other = otherForm === undefined ? undefined : parse(otherForm);
  return other === undefined ? [e164] : [e164, other.number];
};

// a conversion is sent to several platforms at about the same time, and parsing costs more than the rest of its event
const knownForms = new Map<string, readonly string[]>();
const knownMax = 1_000;

const store = (key: string, forms: readonly string[]) => {
  knownForms.set(key, forms);
  for (const oldest of knownForms.keys()) {
    if (knownForms.size <= knownMax) return;
    knownForms.delete(oldest);
  }
};

/**
 * The forms in which a platform may store a phone number, the one as written first: Argentine numbers with and without
 * the 9 of mobiles. Both belong to the same subscriber, because Argentina assigns a number either to a mobile or to a
 * landline.
 */
export const phoneNumberForms = (written: string, country: string): readonly string[] => {
  const key = `${country} ${written}`;
  const forms = knownForms.get(key) ?? formsOf(written, country);
  if (!knownForms.has(key)) store(key, forms);
  return forms;
};

/** The form for platforms that accept only one: the mobile form of an Argentine number, which is far more common. */
export const onePhoneNumberForm = (written: string, country: string): string | undefined => {
  const forms = phoneNumberForms(written, country);
  return forms.find((form) => form.startsWith(argentineMobile)) ?? forms[0];
};
