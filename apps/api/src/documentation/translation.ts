import { renderMarkdown } from './markdown.ts';

// the first paragraph of a translation is for readers of the repository: of which text it is, and the other languages
const note = /^<!--[^]*?-->\n(\[English\].*\n)?\n*/;
const sample = /^```[^]*?^```$/gm;
// a paragraph that is only a link to where the English text has the sample
const linkToSample = /^\[(?:Ejemplo|Exemplo)\]\(\.\.\/\S+\)$/gm;

/** The translated text with the code of the English one: there is one text of each sample. */
export const withSamples = (translated: string, english: string): string => {
  const samples = english.match(sample) ?? [];
  const links = translated.match(linkToSample) ?? [];
  if (links.length !== samples.length) {
    throw new Error(`The translation has ${links.length} links to samples, the English text ${samples.length} samples`);
  }
  let next = 0;
  return translated.replace(note, '').replaceAll(linkToSample, () => samples[next++] ?? '');
};

/** The anchor of the English heading at the place of the translated one: links fit the page in each language. */
export const anchorInEnglish = (anchor: string, translated: string, english: string): string => {
  const place = renderMarkdown(translated).headings.findIndex(({ id }) => id === anchor);
  const heading = renderMarkdown(english).headings[place];
  if (!heading) throw new Error(`No English heading for ${anchor}`);
  return heading.id;
};
