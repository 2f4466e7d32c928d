import { hash } from 'node:crypto';

const hashShape = /^[0-9a-f]{64}$/i;

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
  return hashShape.test(text) ? [text.toLowerCase()] : normalForms(text).map(sha256);
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

const normalName = (written: string) => written.normalize('NFC').toLowerCase().replace(notOfTheName, '');

/** A part of a name, hashed: lower-case, without punctuation and blanks. */
export const hashedName = (written: string | undefined): string | undefined => hashedIdentifier(written, normalName);

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

// `John Q.`: a middle initial, which forms with a first name do not contain
const finalInitials = /(?:\s+\p{L}\.?)+$/u;

const byWords = (full: string): SplitName => {
  const [first, ...others] = full.split(/\s+/);
  if (!first) return {};
  return others.length > 0 ? { first, rest: others.join(' ') } : { first };
};

/**
 * Splits a full name in two. After a comma come the given names (`García López, Ana`), so all of them are the first
 * name; without a comma the first word is. No platform documents a rule; these fit most names. Companies and names with
 * several commas are left out: a missing name is better than that of another person.
 */
export const splitName = (full: string | null): SplitName => {
  const parts = (full ?? '').split(/[,，]/).map((part) => part.trim());
  const [head = '', ...tail] = parts.filter((part) => part !== '');
  if (tail.some(isCompany)) return {};
  const [given, ...more] = tail
    .filter((part) => !isSuffix(part))
    .map((part) => part.replace(titles, ''))
    .filter(Boolean);
  if (given === undefined) return byWords(head);
  return more.length > 0 ? {} : { first: given.replace(finalInitials, ''), rest: head };
};

const plausible = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** An email trimmed and lower-cased, which is all that most platforms require; `undefined` if it is not one. */
export const plainEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return plausible.test(email) ? email : undefined;
};
