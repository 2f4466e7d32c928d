import { contentOf } from './content.ts';

/** The text with each heading one level lower, so that it can be a section. Code is left as it is. */
const asSection = (text: string): string =>
  text
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/^#+(?= )/gm, '#$&')))
    .join('');

const linkToReadme = /^.*packages\/sdk\/README\.md.*$/m;

/** All SDKs, in Markdown: the README of the package for JavaScript instead of the link to it. */
export const sdksPage = (): string => {
  const [, ...readme] = asSection(contentOf('sdk-javascript.md')).split(/(?<=^## .*\n)/m);
  return contentOf('sdks.md').replace(linkToReadme, () => readme.join('').trim());
};
