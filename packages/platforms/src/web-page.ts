/** The address of the page that the visitor landed on, where it is one of the web. */
export const webPage = (landingUrl: string | null): URL | undefined => {
  const url = URL.parse(landingUrl ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
};
