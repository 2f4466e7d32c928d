import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

const withoutCode = (text: string) =>
  text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.slice(1, -1));

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const textOf = (file: string) => withoutCode(readFileSync(file, 'utf8'));
const anchorsOf = (file: string) =>
  Array.from(textOf(file).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));
const linksOf = (file: string) => Array.from(textOf(file).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);

const isBroken = (document: string, target: string): boolean => {
  if (/^https?:/.test(target)) return false;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, document) : join(root, dirname(document), path);
  return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
};

describe('the documentation', () => {
  it.each(documents)('every link in %s has an existing target and anchor', (document) => {
    expect(linksOf(join(root, document)).filter((target) => isBroken(document, target))).toEqual([]);
  });

  it('every document in docs/ is linked from another document', () => {
    const linked = documents.flatMap((document) =>
      linksOf(join(root, document)).map((target) => join(dirname(document), target.replace(/#.*/, ''))),
    );
    expect(documents.filter((document) => document.startsWith('docs/') && !linked.includes(document))).toEqual([]);
  });
});
