import { slugSchema } from '@leadback/domain';

const blanks = /^(?:[\s/+]|%20|%2f|%09|%0a|%0d)+/i;
const slugAt = /^[a-z0-9]+(?:-[a-z0-9]+)*/i;
const separators = /^(?:[^a-z0-9%]|%[0-9a-f]{2})+/i;

/** Without the escapes of an address that was encoded whole. Text that is not UTF-8 stays as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The request target that was meant by a link to `/{slug}` that people or programs have changed: in capitals, with blanks, with more
 * slashes, with a separator that is encoded or another one. Undefined: it is the same, or names no page.
 *
 * Parameters behind the slug come before those behind a question mark.
 */
export const kindTarget = (requestTarget: string): string | undefined => {
  const mark = requestTarget.indexOf('?');
  const path = mark === -1 ? requestTarget : requestTarget.slice(0, mark);
  const query = mark === -1 ? '' : requestTarget.slice(mark + 1);
  const meant = path.replace(blanks, '');
  const slug = slugAt.exec(meant)?.[0] ?? '';
  if (!slugSchema.safeParse(slug.toLowerCase()).success) return undefined;
  const rest = meant.slice(slug.length).replace(separators, '');
  const sent = /%3d/i.test(rest) ? decoded(rest) : rest;
  const parts = [...(sent.includes('=') ? [sent] : []), ...(query === '' ? [] : [query])];
  const target = `/${slug.toLowerCase()}${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
  return target === requestTarget ? undefined : target;
};
