import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const translations = ['campaigns', 'partner', 'privacy'].flatMap((name) =>
  ['es', 'pt'].map((language) => ({ file: `docs/${language}/${name}.md`, english: `docs/${name}.md` })),
);

/** Samples as what a translation has instead: a link to the English one. */
const withoutSamples = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '[Ejemplo](../)');
const sectionsOf = (text: string) =>
  withoutSamples(text)
    .split(/^(?=#+ )/m)
    .filter((section) => section.startsWith('#'));
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const tablesOf = (section: string) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').length);
const sorted = (found: Iterable<RegExpMatchArray>) => Array.from(found, ([text]) => text).toSorted();
/** Names of fields, codes and settings: no translation has its own. */
const codesOf = (section: string) => sorted(section.matchAll(/`[^`\n]+`/g));
/** Figures outside names and links, such as days. */
const figuresOf = (section: string) =>
  sorted(section.replaceAll(/`[^`\n]+`|\]\([^)]*\)/g, '').matchAll(/\d+(?:[.,:]\d+)*/g));
/** The documents that it links. */
const linksOf = (section: string) =>
  sorted(section.matchAll(/(?<=\]\()[^)\s#]+/g))
    .map((path) => basename(path))
    .filter((name) => name !== '..')
    .toSorted();

/** What a reader of the other language finds in a section, in an order that does not depend on the language. */
const factsOf = (section: string) => ({
  level: /^#+/.exec(section)?.[0],
  samples: countOf(section, /^\[(?:Ejemplo|Exemplo)\]\(\.\.\/[^)]*\)$/gm),
  points: countOf(section, /^(?:- |\d+\. )/gm),
  tables: tablesOf(section),
  codes: codesOf(section),
  figures: figuresOf(section),
  links: linksOf(section.replaceAll(/^\[(?:Ejemplo|Exemplo)\]\(.*$/gm, '')),
});

describe.each(translations)('$file', ({ file, english }) => {
  it('has the sections of the English document, each with its tables, samples, points, codes, figures and links', () => {
    const sections = sectionsOf(read(file));
    const originals = sectionsOf(read(english));
    expect(sections.length).toBe(originals.length);
    for (const [index, original] of originals.entries()) {
      expect(factsOf(sections[index] ?? '')).toEqual(factsOf(original));
    }
  });

  it('is a translation of the English document as it is today', () => {
    const digest = createHash('sha256').update(read(english)).digest('hex').slice(0, 12);
    const advice = `${file} is older than ${english}: translate what changed there, then begin it with this line`;
    const [line] = read(file).split('\n');
    expect([advice, line]).toEqual([advice, `<!-- Translation of ${english}, sha256 ${digest} -->`]);
  });

  it('has at most 2,500 words', () => {
    expect(countOf(read(file), /\S*[\p{L}\p{N}]\S*/gu)).toBeLessThanOrEqual(2_500);
  });

  it('links the document in the other languages in its second line', () => {
    const [, links = ''] = read(file).split('\n');
    const others = translations.filter((one) => one.english === english && one.file !== file);
    for (const path of [`../${basename(english)}`, ...others.map((one) => one.file.replace('docs/', '../'))]) {
      expect(links).toContain(`](${path})`);
    }
  });
});
