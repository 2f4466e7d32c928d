/** The URL of a page that the visitor landed on or came from, if its protocol is http or https. */
export const webPage = (seen: string | null): URL | undefined => {
  const url = URL.parse(seen ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};
