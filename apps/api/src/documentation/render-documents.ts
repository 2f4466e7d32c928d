import type { Language } from '@leadback/domain';
import { type EndpointDescription, type Precompressed, precompressed } from '@leadback/server/http';
import { apiDocument } from './api-document.ts';
import { contentOf, sampleFiles, sdkFiles } from './content.ts';
import { documentationSite, type SiteText } from './site.ts';
import { style } from './style.ts';
import { tryScript } from './try-page.ts';

/** What is served at a path. */
export interface RenderedDocument {
  readonly path: string;
  /** Of a document that is served in several languages at one path. */
  readonly language?: Language | undefined;
  readonly type: string;
  readonly cacheControl: string;
  readonly content: Precompressed;
}

const forMinutes = 'public, max-age=300';
// not every shared cache knows that the language of the browser or a cookie chooses the content
const forMinutesInBrowser = 'private, max-age=300';
const forever = 'public, max-age=31536000, immutable';

const documentAt = (path: string, type: string, text: string): RenderedDocument => ({
  path,
  type: `${type}; charset=utf-8`,
  cacheControl: forMinutes,
  content: precompressed(text),
});

const siteDocument = ({ path, language, text }: SiteText, type: string): RenderedDocument => ({
  ...documentAt(path, type, text),
  ...(language && { language, cacheControl: forMinutesInBrowser }),
});

/** An asset has its digest in its path. */
const assetOf = (name: string, extension: string, type: string, text: string): RenderedDocument => {
  const asset = documentAt('', type, text);
  return { ...asset, path: `/docs/assets/${name}.${asset.content.digest}.${extension}`, cacheControl: forever };
};

/** Renders and compresses `/openapi.json` and, for people, all of `/docs`. Takes a quarter of a second. */
export const renderDocuments = (endpoints: readonly EndpointDescription[]): readonly RenderedDocument[] => {
  const document = JSON.stringify(apiDocument(endpoints));
  const styleAsset = assetOf('style', 'css', 'text/css', style);
  const scriptAsset = assetOf('try', 'js', 'text/javascript', tryScript);
  const site = documentationSite(document, { style: styleAsset.path, script: scriptAsset.path });
  return [
    documentAt('/openapi.json', 'application/json', document),
    styleAsset,
    scriptAsset,
    ...site.pages.map((page) => siteDocument(page, 'text/html')),
    ...site.markdown.map((text) => siteDocument(text, 'text/markdown')),
    ...[...sdkFiles, ...sampleFiles].map((file) => documentAt(`/docs/${file}`, 'text/plain', contentOf(file))),
    documentAt('/docs/llms.txt', 'text/plain', site.llmsText),
  ];
};
