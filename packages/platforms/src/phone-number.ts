import { isNobodysNumber, cleaned, sha256Shape } from '@leadback/domain';
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

/** Digits of a number, with its plus, and with the country code where it is written. */
const digitsOf = (text: string): string => (text.startsWith('+') ? '+' : '') + text.replaceAll(/\D/g, '');

/**
 * How a country's numbers are read that libphonenumber's metadata no longer know, or that they take for those of another country: prefixes
 * that were abolished, and digits that were added. Undefined: as everywhere.
 */
type OwnRule = (digits: string) => string | undefined;

const firstMatch =
  (rules: readonly (readonly [shape: RegExp, e164: string])[]): OwnRule =>
  (digits) => {
    const rule = rules.find(([shape]) => shape.test(digits));
    return rule && digits.replace(rule[0], rule[1]);
  };

const ownRules: Readonly<Record<string, OwnRule>> = {
  // Since August 2019 all numbers are ten digits: no 1 after 52, no 01, 044 or 045 before the number.
  MX: firstMatch([
    [/^\+?521?(\d{10})$/, '+52$1'],
    [/^(?:01|044|045|1)(\d{10})$/, '+52$1'],
  ]),
  // Mobile numbers had eight digits until 2016; the ninth is a 9 in front. `xx` stands for the carrier.
  BR: firstMatch([
    [/^\+55(\d\d)([6-9]\d{7})$/, '+55$19$2'],
    [/^55(\d\d)([6-9]\d{7})$/, '+55$19$2'],
    [/^0?(\d\d)([6-9]\d{7})$/, '+55$19$2'],
  ]),
  // 0 and 09 were dialled before mobile numbers until 2016.
  CL: firstMatch([[/^0(9\d{8})$/, '+56$1']]),
  // 03 was dialled before mobile numbers until 2021; those of landlines got 60 in front.
  CO: firstMatch([
    [/^03?(3\d{9})$/, '+57$1'],
    [/^\+?57([124-8]\d{7})$/, '+5760$1'],
    [/^0?([124-8]\d{7})$/, '+5760$1'],
  ]),
};

const countryOfCode: Readonly<Record<string, string>> = { '+52': 'MX', '+55': 'BR', '+57': 'CO' };

/** By the rules of the written country, or else of the account's. A valid number of theirs goes first. */
const byOwnRule = (text: string, country: string): PhoneNumber | undefined => {
  const digits = digitsOf(text);
  const rule = ownRules[digits.startsWith('+') ? (countryOfCode[digits.slice(0, 3)] ?? '') : country];
  const e164 = rule?.(digits);
  return e164 === undefined ? undefined : parse(e164);
};

/** Eleven digits that begin with 1 are no number of North America where they are a national one with an old prefix. */
const isOldNational = (text: string, country: string): boolean => country === 'MX' && /^1\d{10}$/.test(digitsOf(text));

const numberIn = (written: string, country: string): PhoneNumber | undefined => {
  const text = written.replace(bracketedCountry, '$<begin> ').replace(/^00/, '+');
  const found =
    byOwnRule(text, country) ??
    (text.startsWith('+')
      ? parse(text, country)
      : (parse(text, country) ?? (isOldNational(text, country) ? undefined : parse(`+${text}`, country))));
  return found && !isNobodysNumber(found.nationalNumber) && !isNobodysNumber(text.replaceAll(/\D/g, ''))
    ? found
    : undefined;
};

const separators = /[/,;|\n]|\s(?:y|e|o|u|ou|or|and)\s/i;
// `tel. 11 2345-6789`, `11 2345-6789 (casa)`, and a number of a spreadsheet: `1123456789.0`
const around = /^[^\d+(]+|(?:\.0+|[^\d)]+)$|\([^\d()]*\)$/g;

/** The numbers in a text: the whole, or else each part that is one. */
const numbersIn = (written: string, country: string): PhoneNumber[] => {
  // NFKC converts full-width digits and the full-width plus; 0xx: some carrier
  const text = withoutUri(cleaned(written.normalize('NFKC'))).replace(/^(\(?0)\s*xx\s*/i, '$1');
  const whole = numberIn(text, country);
  if (whole) return [whole];
  return text.split(separators).flatMap((part) => numberIn(part.trim().replaceAll(around, '').trim(), country) ?? []);
};

/**
 * A phone number in E.164 (`+5491123456789`), or `undefined` if it is not valid or its country is unknown; of several numbers the
 * first. A written + or 00 decides; then the country of the account, if the number is valid there; then the digits, if they begin
 * with a country code. A wrong number would be worse than none: its hash could be another person's.
 */
export const phoneNumberInE164 = (written: string, country: string): string | undefined =>
  numbersIn(written, country)[0]?.number;

const argentina = '+54';
const argentineMobile = '+549';

/** Argentine mobile numbers have a 9 after the country code when dialled from abroad, but many people leave it out. */
const otherArgentineForm = (e164: string): string | undefined => {
  if (!e164.startsWith(argentina)) return undefined;
  return e164.startsWith(argentineMobile)
    ? argentina + e164.slice(argentineMobile.length)
    : argentineMobile + e164.slice(argentina.length);
};

const mexico = '+52';
const brazilianMobile = /^\+55(\d\d)9([6-9]\d{7})$/;

/** As the number was written before the country changed its numbers: a platform may have it in that form. */
const formerForm = (e164: string): string | undefined => {
  if (e164.startsWith(mexico) && e164.length === 13) return `${mexico}1${e164.slice(mexico.length)}`;
  const [, area, subscriber] = brazilianMobile.exec(e164) ?? [];
  return area === undefined ? undefined : `+55${area}${subscriber}`;
};

const formsOf = (written: string, country: string): readonly string[] => {
  const forms = numbersIn(written, country).flatMap(({ number }) => {
    const otherForm = otherArgentineForm(number);
    const other = otherForm === undefined ? formerForm(number) : parse(otherForm)?.number;
    return other === undefined ? [number] : [number, other];
  });
  return [...new Set(forms)];
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
 * The forms in which a platform may store the phone numbers in a text, the one as written first: Argentine numbers with and without
 * the 9 of mobiles, Mexican ones also with the former 1, Brazilian mobiles also without the ninth digit. Both belong to the same
 * subscriber: Argentina, for one, assigns a number either to a mobile or to a landline.
 */
export const phoneNumberForms = (written: string, country: string): readonly string[] => {
  const key = `${country} ${written}`;
  const forms = knownForms.get(key) ?? formsOf(written, country);
  if (!knownForms.has(key)) store(key, forms);
  return forms;
};

/**
 * The country of a phone number: ISO 3166-1 alpha-2. Of the person nothing else says it: an account sells abroad, too. Undefined: it is not
 * known, or the number is of several countries.
 */
export const phoneNumberCountry = (written: string | null, country: string): string | undefined => {
  const [e164] = written === null || sha256Shape.test(written) ? [] : phoneNumberForms(written, country);
  return e164 === undefined ? undefined : parse(e164)?.country;
};

/** Whether platforms may match somebody by it: it has a number, or is the hash of one. */
export const isUsablePhoneNumber = (written: string, country: string): boolean =>
  sha256Shape.test(written) || phoneNumberForms(written, country).length > 0;

/** The form for platforms that accept only one: the mobile form of an Argentine number, which is far more common. */
export const onePhoneNumberForm = (written: string, country: string): string | undefined => {
  const forms = phoneNumberForms(written, country);
  const [first = ''] = forms;
  const mobile = first.startsWith(argentina) ? otherArgentineForm(first) : undefined;
  return [first, mobile].find((form) => form?.startsWith(argentineMobile) && forms.includes(form)) ?? forms[0];
};
