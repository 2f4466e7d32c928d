import { pagePreviewCode, pagePreviewKeys, type SecretsKeys } from '@leadback/secrets';

/** The URL of a path of the landing app. */
export const pageUrl = (landingUrl: string, path: string): string =>
  new URL(path, `${landingUrl.replace(/\/$/, '')}/`).href;

/** Makes URLs that show a page as it is stored, on or off, and record nothing. */
export const previewUrls = (secretsKeys: SecretsKeys, landingUrl: string): ((id: number) => string) => {
  const keys = pagePreviewKeys(secretsKeys);
  return (id) => pageUrl(landingUrl, `preview/${pagePreviewCode(keys, id)}`);
};
