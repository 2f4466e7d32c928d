import { plainEmail } from '../plain-email.ts';

const isGmail = (domain: string | undefined) => domain === 'gmail.com' || domain === 'googlemail.com';

/**
 * Trimmed and lower-cased; for Gmail without the dots and +suffix that it ignores ("formatting" of the Data Manager
 * API).
 */
export const googleEmail = (written: string): string | undefined => {
  const email = plainEmail(written);
  const [user = '', domain] = email?.split('@') ?? [];
  if (!isGmail(domain)) return email;
  const mailbox = user.replace(/\+.*$/, '').replaceAll('.', '');
  return mailbox === '' ? undefined : `${mailbox}@${domain}`;
};
