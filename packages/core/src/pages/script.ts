import { hash } from 'node:crypto';
import newest from './script/leadback-1.1.0.json' with { type: 'json' };

/** The script for the advertiser's own pages, as browsers run it. */
interface Script {
  readonly version: string;
  readonly text: string;
}

/** All that were ever released, the newest first: pages name them with their hash. */
export const scripts: readonly [Script, ...Script[]] = [newest];

interface ScriptedPage {
  readonly slug: string;
  readonly waitsForConsent: boolean;
}

/** What the advertiser puts into the head of its pages: one of them. */
export interface Snippets {
  /** The script as it is now, and as it will be. */
  readonly snippet: string;
  /** This version alone: the browser refuses any other text. */
  readonly pinnedSnippet: string;
  /** Under the page's own name, which no list of trackers knows. */
  readonly plainSnippet: string;
}

/** `baseUrl`: of landing, where visitors of the account find it. */
export const snippetsOf = (baseUrl: string, { slug, waitsForConsent }: ScriptedPage): Snippets => {
  const base = baseUrl.replace(/\/$/, '');
  const [{ version, text }] = scripts;
  const integrity = `sha384-${hash('sha384', text, 'base64')}`;
  const tag = (file: string, ...more: readonly string[]) => {
    const attributes = [
      'defer',
      `src="${base}/${file}.js"`,
      ...more,
      ...(waitsForConsent ? ['data-consent="wait"'] : []),
    ];
    return `<script ${attributes.join(' ')}></script>`;
  };
  const named = `data-page="${slug}"`;
  return {
    snippet: tag('leadback', named),
    pinnedSnippet: tag(`leadback-${version}`, `integrity="${integrity}"`, 'crossorigin="anonymous"', named),
    plainSnippet: tag(slug),
  };
};

/** The snippets for a page at this URL. */
export const snippetsAt = (url: string, waitsForConsent: boolean): Snippets => {
  const end = url.lastIndexOf('/');
  return snippetsOf(url.slice(0, end), { slug: url.slice(end + 1), waitsForConsent });
};
