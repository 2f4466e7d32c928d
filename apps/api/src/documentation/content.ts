import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Language } from '@leadback/domain';
import { anchorInEnglish, withSamples } from './translation.ts';

/** The SDKs that are a single file; the one for JavaScript is a package. */
export const sdkFiles = ['leadback.py', 'leadback.php'] as const;

/** Pages of an advertiser's own, which the guide links. */
export const sampleFiles = [
  'landing.php',
  'landing.py',
  'clicks.html',
  'clicks-tag-manager.html',
  'clicks-tiendanube.html',
  'clicks-woocommerce.php',
  'clicks-shopify.liquid',
  'clicks-react.jsx',
] as const;

const sdkFolder = 'apps/api/src/documentation/sdk';
const samplesFolder = 'apps/api/src/documentation/samples';

// texts that the API serves, with their paths in the repository
const contentFiles = {
  'guide.md': 'docs/partner.md',
  'files.md': 'docs/sales-in-files.md',
  'corrections.md': 'docs/corrections.md',
  'webhooks.md': 'docs/webhooks.md',
  'sources.md': 'docs/sources.md',
  'sdks.md': 'docs/sdks.md',
  'privacy.md': 'docs/privacy.md',
  'campaigns.md': 'docs/campaigns.md',
  'clicks.md': 'docs/clicks.md',
  'reasons.md': 'docs/reference/reasons.md',
  'sdk-javascript.md': 'packages/sdk/README.md',
  'changelog.md': 'CHANGELOG.md',
  'leadback.py': `${sdkFolder}/leadback.py`,
  'leadback.php': `${sdkFolder}/leadback.php`,
  'landing.php': `${samplesFolder}/landing.php`,
  'landing.py': `${samplesFolder}/landing.py`,
  'clicks.html': `${samplesFolder}/clicks.html`,
  'clicks-tag-manager.html': `${samplesFolder}/clicks-tag-manager.html`,
  'clicks-tiendanube.html': `${samplesFolder}/clicks-tiendanube.html`,
  'clicks-woocommerce.php': `${samplesFolder}/clicks-woocommerce.php`,
  'clicks-shopify.liquid': `${samplesFolder}/clicks-shopify.liquid`,
  'clicks-react.jsx': `${samplesFolder}/clicks-react.jsx`,
} as const;

/** Where links to these documents lead. */
const pageOf: Readonly<Record<string, string>> = {
  'docs/partner.md': '/docs',
  'docs/sales-in-files.md': '/docs/files',
  'docs/corrections.md': '/docs/corrections',
  'docs/webhooks.md': '/docs/webhooks',
  'docs/sources.md': '/docs/sources',
  'docs/sdks.md': '/docs/sdks',
  'docs/privacy.md': '/docs/privacy',
  'docs/campaigns.md': '/docs/campaigns',
  'docs/clicks.md': '/docs/clicks',
  'docs/reference/reasons.md': '/docs/reasons',
  [`${samplesFolder}/landing.php`]: '/docs/landing.php',
  [`${samplesFolder}/landing.py`]: '/docs/landing.py',
  [`${samplesFolder}/clicks.html`]: '/docs/clicks.html',
  [`${samplesFolder}/clicks-tag-manager.html`]: '/docs/clicks-tag-manager.html',
  [`${samplesFolder}/clicks-tiendanube.html`]: '/docs/clicks-tiendanube.html',
  [`${samplesFolder}/clicks-woocommerce.php`]: '/docs/clicks-woocommerce.php',
  [`${samplesFolder}/clicks-shopify.liquid`]: '/docs/clicks-shopify.liquid',
  [`${samplesFolder}/clicks-react.jsx`]: '/docs/clicks-react.jsx',
};

const repository = join(import.meta.dirname, '..', '..', '..', '..');
const read = (file: string) => readFileSync(join(repository, file), 'utf8');

// the README of the SDK is part of a page
const link = /\[([^\]]+)\]\((?!\.\.\/packages\/)([\w./-]+\.(?:md|php|py|html|liquid|jsx))(?:#([\p{L}\w-]+))?\)/gu;

/** `docs/es/privacy.md` → `docs/privacy.md`. */
const englishOf = (file: string): string => file.replace(/^docs\/(es|pt)\//, 'docs/');

/** The text, with links between these documents; a link to a document that is not served is its text alone. */
const withLinks = (file: string, content: string): string =>
  content.replaceAll(link, (_, text: string, document: string, anchor?: string) => {
    const target = posix.join(posix.dirname(file), document);
    const english = englishOf(target);
    const page = pageOf[english];
    if (page === undefined) return text;
    if (anchor === undefined) return `[${text}](${page})`;
    const served = target === english ? anchor : anchorInEnglish(anchor, read(target), read(english));
    return `[${text}](${page}#${served})`;
  });

/** The text that the API serves. In another language, it has the samples of the English text. */
export const contentOf = (name: keyof typeof contentFiles, language: Language = 'en'): string => {
  const english = contentFiles[name];
  if (language === 'en') return withLinks(english, read(english));
  const file = english.replace('docs/', `docs/${language}/`);
  return withLinks(file, withSamples(read(file), read(english)));
};
