import { plainEmail } from '../plain-email.ts';

/**
 * As Microsoft formats an email before hashing it ("Format and hash the data", help article 60178): lower-cased, without
 * spaces and accents, and at every domain without a +suffix and the dots before the @.
 */
export const microsoftEmail = (written: string): string | undefined => {
  const plain = plainEmail(
    written
      .replace(/\s/g, '')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, ''),
  );
  const [user = '', domain = ''] = plain?.split('@') ?? [];
  const mailbox = user.replace(/\+.*$/, '').replaceAll('.', '');
  return mailbox === '' || domain.endsWith('.') ? undefined : `${mailbox}@${domain}`;
};
