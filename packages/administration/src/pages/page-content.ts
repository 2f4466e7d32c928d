import { createHash } from 'node:crypto';
import type { LandingPage } from '@leadback/db';
import type { PageContent, PageImage } from '@leadback/domain';

// PostgreSQL orders the names in a jsonb value
const imageOf = (image: PageImage | null | undefined): PageImage | null => {
  if (!image) return null;
  const { src, alt, width, height } = image;
  return { src, alt, ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
};

export const contentOf = (page: LandingPage): PageContent => ({
  targetUrl: page.targetUrl,
  mode: page.mode,
  title: page.title ?? null,
  text: page.text ?? null,
  buttonLabel: page.buttonLabel ?? null,
  language: page.language,
  accentColor: page.accentColor ?? null,
  logo: imageOf(page.logo),
  hero: imageOf(page.hero),
  askedFields: page.askedFields,
  consentText: page.consentText ?? null,
  consentScope: page.consentScope,
  privacyUrl: page.privacyUrl ?? null,
});

/** Differs between different contents. For a change that must not overwrite one that its author has not seen. */
export const contentVersion = (content: PageContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** What differs, field by field, for the audit log. */
export const differencesOf = (before: PageContent, after: PageContent): Record<string, unknown> => {
  const earlier = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(field)))
      .map(([field, value]) => [field, { before: earlier.get(field), after: value }]),
  );
};
