import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceKinds } from '@leadback/core/sources/kinds/index';
import { describe, expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const text = readFileSync(join(root, 'docs/sources.md'), 'utf8');
const sections = new Map(
  text.split(/^## /m).map((section) => {
    const [title = ''] = section.split('\n', 1);
    return [title, section.slice(title.length)] as const;
  }),
);
const wordsOf = (section: string) => section.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

// WooCommerce → Settings → Advanced, and not the sentence around it
const menuPath = /(?:[\w./]+ )*?[\w./]+(?: → [\w ]+)+/g;

describe('the page of sources', () => {
  it('has a section for each kind, of at most 300 words, in the order of the console', () => {
    const titles = [...sections.keys()].filter((title) => sourceKinds.some((kind) => kind.title === title));
    expect(titles).toEqual(sourceKinds.map(({ title }) => title));
    expect(titles.filter((title) => wordsOf(sections.get(title) ?? '') > 300)).toEqual([]);
    expect(wordsOf(text)).toBeLessThanOrEqual(1_900);
  });

  it('names the menus as the steps in the console do', () => {
    const missing = sourceKinds.flatMap(({ title, texts }) => {
      const section = (sections.get(title) ?? '').replaceAll(/[*`]/g, '');
      const [first = ''] = texts.en.steps;
      const [path] = first.match(menuPath) ?? [];
      const parts = path?.split(' → ').slice(1) ?? [];
      return parts.filter((part) => !section.includes(part)).map((part) => `${title}: ${part}`);
    });
    expect(missing).toEqual([]);
  });

  it('says of each kind what arrives, what is a sale, a test and a refund, and how the click comes along', () => {
    const said = ['There', 'Arrives', 'Sale', 'Tests', 'Refunds', 'Click'];
    const missing = sourceKinds.flatMap(({ title }) =>
      said.filter((part) => !sections.get(title)?.includes(`- **${part}:**`)).map((part) => `${title}: ${part}`),
    );
    expect(missing).toEqual([]);
  });
});
