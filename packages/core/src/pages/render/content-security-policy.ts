import { createHash } from 'node:crypto';

interface Framing {
  /** Shown in a frame of this app alone: it loads what a page may load, and neither submits nor opens anything. */
  readonly isPreview?: boolean;
}

/**
 * No scripts, one style sheet, these images, no framing; `data:` for an icon without a request. `form-action` is left
 * out on purpose: browsers apply it to all redirects after the form, and the target page may redirect to another host.
 */
export const contentSecurityPolicy = (
  style: string,
  imageSources: readonly string[] = [],
  { isPreview = false }: Framing = {},
): string => {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src ${['data:', ...new Set(imageSources)].join(' ')}`,
    "base-uri 'none'",
    ...(isPreview ? ["frame-ancestors 'self'", "form-action 'none'", 'sandbox'] : ["frame-ancestors 'none'"]),
  ].join(';');
};
