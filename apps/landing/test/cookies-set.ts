import type { Reply } from './visitor-of.ts';

const setBy = ({ headers }: Pick<Reply, 'headers'>): string[] => [headers['set-cookie'] ?? []].flat();

/** The `Set-Cookie` header of a response for the cookie of this name; empty if there is none. */
export const cookieSet = (reply: Pick<Reply, 'headers'>, name: string): string =>
  setBy(reply).find((cookie) => cookie.startsWith(`${name}=`)) ?? '';

/** The `Cookie` header that a browser sends after these responses. */
export const sentBack = (...replies: readonly Pick<Reply, 'headers'>[]): { cookie: string } => {
  const kept = new Map(
    replies.flatMap(setBy).map((cookie) => {
      const [pair = ''] = cookie.split(';');
      return [pair.slice(0, pair.indexOf('=')), pair] as const;
    }),
  );
  return { cookie: [...kept.values()].join('; ') };
};

/** The `click` cookie as a browser sends it. */
export const clickCookie = (kept: Record<string, string | number>): string => {
  const pairs = Object.entries(kept).map(([name, value]) => [name, String(value)]);
  return `click=${Buffer.from(new URLSearchParams(Object.fromEntries(pairs)).toString()).toString('base64url')}`;
};
