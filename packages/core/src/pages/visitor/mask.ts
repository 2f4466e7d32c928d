const hidden = '***';
const firstOf = (text: string): string => Array.from(text)[0] ?? '';
const masked = (text: string): string => (text === '' ? '' : firstOf(text) + hidden);

/** `Ana García` → `A*** G***` */
export const maskName = (name: string): string => name.trim().split(/\s+/).map(masked).join(' ');

/** `ana@example.com` → `a***@e***.com` */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  if (at < 1) return hidden;
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  return `${masked(email.slice(0, at))}@${masked(host)}${dot < 0 ? '' : host.slice(dot)}`;
};

const digitsMin = 7;

/** `+54 9 11 2345-6712` → `+54 *** 12`; a number without its country shows only its last two digits. */
export const maskPhone = (phone: string): string => {
  const digits = phone.replaceAll(/\D/g, '');
  if (digits.length < digitsMin) return hidden;
  const country = phone.trim().startsWith('+') ? `+${digits.slice(0, 2)} ` : '';
  return `${country}${hidden} ${digits.slice(-2)}`;
};

/** `203.0.113.7` → `203.0.113.*`, `2001:db8:1:2::7` → `2001:db8:1:…` */
export const shortenAddress = (address: string): string => {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address.replace(/\d+$/, '*');
  const groups = address.split('::')[0]?.split(':') ?? [];
  return `${groups.slice(0, 3).join(':')}:…`;
};
