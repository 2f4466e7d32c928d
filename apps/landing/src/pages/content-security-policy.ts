import { createHash } from 'node:crypto';

/**
 * No script at all, one style sheet, these images, nobody's frame; `data:` for an icon that costs no request.
 * `form-action` is left out on purpose: browsers apply it to the whole chain of redirects after the form, and the
 * advertiser's page may well redirect to another host of his.
 */
export const contentSecurityPolicy = (style: string, imageSources: readonly string[] = []): string => {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src ${['data:', ...new Set(imageSources)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
};
