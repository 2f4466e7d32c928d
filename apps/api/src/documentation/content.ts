import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SDKs that are a single file; the one for JavaScript is a package. */
export const sdkFiles = ['leadback.py', 'leadback.php'] as const;

const sdkFolder = 'apps/api/src/documentation/sdk';

// texts that the API serves, with their paths in the repository
const contentFiles = {
  'guide.md': 'docs/partner.md',
  'files.md': 'docs/sales-in-files.md',
  'corrections.md': 'docs/corrections.md',
  'webhooks.md': 'docs/webhooks.md',
  'sdks.md': 'docs/sdks.md',
  'privacy.md': 'docs/privacy.md',
  'campaigns.md': 'docs/campaigns.md',
  'reasons.md': 'docs/reference/reasons.md',
  'sdk-javascript.md': 'packages/sdk/README.md',
  'changelog.md': 'CHANGELOG.md',
  'leadback.py': `${sdkFolder}/leadback.py`,
  'leadback.php': `${sdkFolder}/leadback.php`,
} as const;

/** Where links between these documents lead. */
const pageOf: Readonly<Record<string, string>> = {
  'partner.md': '/docs',
  'sales-in-files.md': '/docs/files',
  'corrections.md': '/docs/corrections',
  'webhooks.md': '/docs/webhooks',
  'sdks.md': '/docs/sdks',
  'privacy.md': '/docs/privacy',
  'campaigns.md': '/docs/campaigns',
  'reference/reasons.md': '/docs/reasons',
};

const repository = join(import.meta.dirname, '..', '..', '..', '..');

// the README of the SDK is part of a page
const link = /\[([^\]]+)\]\((?!\.\.\/packages\/)([\w./-]+\.md)(#[\w-]+)?\)/g;

/** The text, with links between these documents; a link to a document that is not served is its text alone. */
export const contentOf = (name: keyof typeof contentFiles): string => {
  const file = readFileSync(join(repository, contentFiles[name]), 'utf8');
  return file.replaceAll(link, (_, text: string, document: string, anchor = '') => {
    const page = pageOf[document];
    return page === undefined ? text : `[${text}](${page}${anchor})`;
  });
};
