import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SDKs that are a single file; the one for JavaScript is a package. */
export const sdkFiles = ['leadback.py', 'leadback.php'] as const;

const sdkFolder = 'apps/api/src/documentation/sdk';

// texts that the API serves, with their paths in the repository
const contentFiles = {
  'guide.md': 'docs/partner.md',
  'files.md': 'docs/sales-in-files.md',
  'corrections.md': 'docs/corrections-and-quality.md',
  'webhooks.md': 'docs/webhooks.md',
  'sdks.md': 'docs/sdks.md',
  'sdk-javascript.md': 'packages/sdk/README.md',
  'changelog.md': 'CHANGELOG.md',
  'leadback.py': `${sdkFolder}/leadback.py`,
  'leadback.php': `${sdkFolder}/leadback.php`,
} as const;

/** Where links between these documents lead. */
const pageOf: Readonly<Record<string, string>> = {
  'partner.md': '/docs',
  'sales-in-files.md': '/docs/files',
  'corrections-and-quality.md': '/docs/corrections',
  'webhooks.md': '/docs/webhooks',
  'sdks.md': '/docs/sdks',
};

const repository = join(import.meta.dirname, '..', '..', '..', '..');

/** The text, with links between these documents. */
export const contentOf = (name: keyof typeof contentFiles): string => {
  const text = readFileSync(join(repository, contentFiles[name]), 'utf8');
  return text.replaceAll(/(?<=\]\()[\w-]+\.md(?=[#)])/g, (document) => pageOf[document] ?? document);
};
