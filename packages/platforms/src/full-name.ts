import { isNobodysName } from '@leadback/domain';
import { normalName } from './event-parts.ts';

// `&eacute;` is an e with an acute accent
const accents: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
  ring: '\u030A',
  caron: '\u030C',
};
const entity =
  /&(?:#x(?<hex>[0-9a-f]{1,6})|#(?<decimal>\d{1,7})|(?<letter>[a-z])(?<accent>acute|grave|circ|tilde|uml|cedil|ring|caron)|(?<name>amp|apos|quot|nbsp|lt|gt));/gi;
const named: Readonly<Record<string, string>> = { amp: '&', apos: "'", quot: '"', nbsp: ' ', lt: '<', gt: '>' };

const characterOf = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

const decodedOnce = (text: string): string =>
  text.replaceAll(entity, (whole) => {
    const { hex, decimal, letter, accent, name } = new RegExp(entity.source, 'i').exec(whole)?.groups ?? {};
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (letter !== undefined) return `${letter}${accents[accent?.toLowerCase() ?? ''] ?? ''}`.normalize('NFC');
    return named[name?.toLowerCase() ?? ''] ?? whole;
  });

/** A name as people read it: shops write it with HTML entities, sometimes twice, and forms let markup in. */
const withoutMarkup = (written: string): string => {
  if (!/[&<]/.test(written)) return written;
  return decodedOnce(decodedOnce(written))
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

interface SplitName {
  readonly first?: string;
  readonly rest?: string;
}

// suffixes after a comma that are not part of a name: `Ana García, PhD`, `John Smith, Jr.`
const suffix = /^(?:jr|sr|ii|iii|iv|phd|dds|dvm|jd|mba|cpa|esq|bsc|msc|ing|lic|abg|arq|dr|dra|prof)$/;
const suffixOrGivenName = /^md$/; // `Rahman, Md`
// `Zapatos, S.A.`: a company
const company =
  /^(?:sas|sau|saic|sacif|sadecv|srl|sl|slu|ltda|eirl|inc|llc|llp|ltd|limited|corp|company|gmbh|bv|nv|plc|pty)$/;
const companyOrGivenName = /^(?:sa|co|spa|c[ií]a)$/; // `Ana, Sa`, `Lee, Co`, `Ng, Spa`

/** Whether it is written as an abbreviation, and not as a given name. */
const isAbbreviated = (part: string) => part.includes('.') || part === part.toUpperCase();

const isSuffix = (part: string): boolean =>
  suffix.test(normalName(part)) || (suffixOrGivenName.test(normalName(part)) && isAbbreviated(part));
const isCompany = (part: string): boolean =>
  company.test(normalName(part)) || (companyOrGivenName.test(normalName(part)) && isAbbreviated(part));

// `García, Dr. Ana`, `García, Dr. Ing. Ana`. `Ing` without a dot may be a given name, and so may others
const titles =
  /^(?:(?:(?:ing|lic|abg|arq|prof|profa|cr|cra|mg|dr|dra|sr|sra|srta|mr|mrs|ms)\.|(?:dr|dra|prof)(?=\s))\s*)+/i;

// The same before a name without a comma, where words that may be given names are titles only with a dot.
const titlesInFront =
  /^(?:(?:(?:ing|arq|abg|cr|cra|mg|d|don|dona)\.|(?:dr|dra|sr|sra|srta|srita|lic|mr|mrs|ms|prof|profa|doña)(?:\.|(?=\s)))\s*)+(?=\S)/i;

// `John Q.`: a middle initial, which forms with a first name do not contain
const finalInitials = /(?:\s+\p{L}\.?)+$/u;

const byWords = (full: string): SplitName => {
  const [first, ...others] = full.split(/\s+/);
  if (!first) return {};
  return others.length > 0 ? { first, rest: others.join(' ') } : { first };
};

/** Without a comma. A title before one word is the title of a family name, of which it says no first name. */
const byWordsAfterTitles = (full: string): SplitName => {
  const name = full.replace(titlesInFront, '');
  if (name === full) return byWords(full);
  return name.includes(' ') ? byWords(name) : {};
};

/**
 * Splits a full name in two. After a comma come the given names (`García López, Ana`), so all of them are the first
 * name; without a comma the first word is. No platform documents a rule; these fit most names. Companies and names with
 * several commas are left out: a missing name is better than that of another person.
 */
export const splitName = (full: string | null): SplitName => {
  const read = withoutMarkup(full ?? '');
  const letters = normalName(read);
  if (letters === '' || isNobodysName(letters)) return {};
  const parts = read.split(/[,，]/).map((part) => part.trim());
  const [head = '', ...tail] = parts.filter((part) => part !== '');
  if (tail.some(isCompany)) return {};
  const [given, ...more] = tail
    .filter((part) => !isSuffix(part))
    .map((part) => part.replace(titles, ''))
    .filter(Boolean);
  if (given === undefined) return byWordsAfterTitles(head);
  return more.length > 0 ? {} : { first: given.replace(finalInitials, ''), rest: head };
};
