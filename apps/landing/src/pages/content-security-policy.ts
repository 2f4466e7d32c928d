import { createHash } from 'node:crypto';

/**
 * No scripts, one style sheet, these images, no framing; `data:` for an icon without a request. `form-action` is left
 * out on purpose: browsers apply it to all redirects after the form, and the target page may redirect to another host.
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
