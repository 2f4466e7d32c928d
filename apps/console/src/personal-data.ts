/** How personal data read for somebody: as they are, or masked. A mask keeps enough to tell one value from another. */
export interface PersonalData {
  readonly isMasked: boolean;
  readonly name: (name: string | null) => string | null;
  readonly email: (email: string | null) => string | null;
  readonly phone: (phone: string | null) => string | null;
  readonly clickId: (value: string) => string;
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
  (mask: (text: string) => string) =>
  (text: string | null): string | null =>
    text === null ? null : mask(text);

const asItIs = <Text>(text: Text): Text => text;

const open: PersonalData = { isMasked: false, name: asItIs, email: asItIs, phone: asItIs, clickId: asItIs };
const masked: PersonalData = {
  isMasked: true,
  name: orNull(maskedName),
  email: orNull(maskedEmail),
  phone: orNull(maskedPhone),
  clickId: (value) => begun(value, 4),
};

export const personalData = (maySee: boolean): PersonalData => (maySee ? open : masked);
