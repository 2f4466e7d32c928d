import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalCodes, refusals } from '@leadback/domain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { apiDocument } from '../../apps/api/src/documentation/api-document.ts';
import { requestsPage } from '../../apps/api/src/documentation/requests-page.ts';
import { endpoints } from '../../apps/api/src/endpoints/index.ts';
import { commands } from '../../apps/operator/src/commands/index.ts';
import { root } from '../support/code-blocks.ts';

// many readers have English as their second language
const wordsMax = 30;

/** The sentences of a paragraph. What is in back quotes is one word, of a link its text counts. */
const sentencesIn = (paragraph: string): string[] =>
  paragraph
    .replaceAll(/<code>.*?<\/code>|`[^`]+`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, '')
    .split(/(?<=[.!?][)*_”"]*)\s+/);
const wordsIn = (sentence: string) => sentence.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
const longIn = (paragraph: string): string[] =>
  sentencesIn(paragraph)
    .filter((sentence) => wordsIn(sentence) > wordsMax)
    .map((sentence) => `${wordsIn(sentence)} words: ${sentence.trim()}`);

/** The paragraphs of Markdown: entries of lists, cells of tables and headings end one, blocks of code are none. */
const paragraphsIn = (markdown: string): string[] =>
  markdown
    .replaceAll(/^\s*```[^]*?^\s*```$/gm, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.) ?)|(?<=^#.*)\n|\|/gm)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' '));

it('no document has a sentence of more than 30 words', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'packages/*/src/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'CHANGELOG.md'],
  }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  expect(documents.length).toBeGreaterThan(35);
  const long = [...documents, { file: '/docs/requests', text: requestsPage }].flatMap(({ file, text }) =>
    paragraphsIn(text)
      .flatMap(longIn)
      .map((sentence) => `${file}: ${sentence}`),
  );
  expect(long).toEqual([]);
});

const textsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const { data } = z.record(z.string(), z.unknown()).safeParse(value);
  return Object.entries(data ?? {}).flatMap(([key, inside]) =>
    typeof inside === 'string' && ['summary', 'description'].includes(key) ? [inside] : textsIn(inside),
  );
};

it('no description of the OpenAPI document has a sentence of more than 30 words', () => {
  const texts = textsIn(apiDocument(endpoints));
  expect(texts.length).toBeGreaterThan(200);
  expect([...new Set(texts.flatMap(paragraphsIn).flatMap(longIn))]).toEqual([]);
});

it('no error of the API and no help of the operator has a sentence of more than 30 words', () => {
  const ofErrors = refusalCodes.flatMap((code) =>
    Object.values(refusals[code]).filter((one) => typeof one === 'string'),
  );
  // what several platforms call in their own way has a part for each
  const ofCommands = commands.flatMap(({ summary, options }) => [
    summary,
    ...options.flatMap(([, help]) => help.split(/; (?=[A-Z]\w+(?: Advertising)?: )/)),
  ]);
  expect(ofCommands.length).toBeGreaterThan(200);
  expect([...new Set([...ofErrors, ...ofCommands].flatMap(longIn))]).toEqual([]);
});
