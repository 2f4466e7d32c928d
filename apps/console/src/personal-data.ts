import { looksPersonal } from '@leadback/domain';
import { type ShownReference, shownReference } from './contract/values.ts';

/** How personal data read for somebody: as they are, or masked. A mask keeps enough to tell one value from another. */
export interface PersonalData {
  readonly isMasked: boolean;
  readonly name: (name: string | null) => string | null;
  readonly email: (email: string | null) => string | null;
  readonly phone: (phone: string | null) => string | null;
  readonly clickId: (value: string) => string;
  /** A partner's own reference, which may be an email or a phone number. */
  readonly reference: (reference: string | null) => ShownReference | null;
  /** A message that may repeat what a partner has sent. */
  readonly message: (text: string | null) => string | null;
}

/** With a whole lead reference, anybody may withdraw the consent of its visitor: who may not erase is shown its beginning. */
export const leadReferenceFor = (mayErase: boolean, reference: string): string =>
  mayErase ? reference : `${reference.slice(0, 6)}…`;

const hidden = '•••';

/** The first character; nothing of a short text. */
const begun = (text: string, characters = 1): string =>
  text.length > characters * 2 ? `${text.slice(0, characters)}${hidden}` : hidden;

const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => begun(word))
    .join(' ');

const maskedEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  return `${begun(email.slice(0, Math.max(at, 0)))}@${begun(domain)}${domain.slice(domain.lastIndexOf('.'))}`;
};

const maskedPhone = (phone: string): string => (phone.length > 6 ? `${hidden}${phone.slice(-2)}` : hidden);

const orNull =
  <Shown extends string>(mask: (text: string) => Shown) =>
  (text: string | null): Shown | null =>
    text === null ? null : mask(text);

/** Two characters of each end. */
const maskedReference = (reference: string): string =>
  looksPersonal(reference) ? `${reference.slice(0, 2)}${hidden}${reference.slice(-2)}` : reference;

const maskedMessage = (message: string): string =>
  message.replaceAll(/[^\s"'`,;()<>]*@[^\s"'`,;()<>]*|\+?\p{Nd}[\p{Nd}\s().-]{5,}\p{Nd}/gu, maskedReference);

/** Whether a search is for a person by email or phone. An order may have a number of as many digits. */
export const isSearchForPerson = (text: string): boolean =>
  text.includes('@') || (text.trim().startsWith('+') && looksPersonal(text));

const asItIs = <Text>(text: Text): Text => text;

const open: PersonalData = {
  isMasked: false,
  name: asItIs,
  email: asItIs,
  phone: asItIs,
  clickId: asItIs,
  reference: orNull((reference) => shownReference.parse(reference)),
  message: asItIs,
};
const masked: PersonalData = {
  isMasked: true,
  name: orNull(maskedName),
  email: orNull(maskedEmail),
  phone: orNull(maskedPhone),
  clickId: (value) => begun(value, 4),
  reference: orNull((reference) => shownReference.parse(maskedReference(reference))),
  message: orNull(maskedMessage),
};

export const personalData = (maySee: boolean): PersonalData => (maySee ? open : masked);
