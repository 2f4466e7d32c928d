import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

const listSchema = z.object({
  words: z.array(z.object({ pattern: z.string(), use: z.string() })),
  exceptions: z.array(z.object({ file: z.string().optional(), text: z.string().optional(), reason: z.string() })),
});
const list = listSchema.parse(JSON.parse(readFileSync(new URL('./banned-words.json', import.meta.url), 'utf8')));

const isRead = /\.(ts|mjs|cjs|js|md|ya?ml|json|sh|sql|css|html)$|(^|\/)(Dockerfile|\.env\.example)$/;
const isLeftOut = /^pnpm-lock\.yaml$/;

const texts = (): readonly { file: string; text: string }[] =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => isRead.test(file) && !isLeftOut.test(file))
    .filter((file) => !list.exceptions.some((one) => one.file !== undefined && new RegExp(one.file).test(file)))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const allowed = list.exceptions.flatMap(({ text }) => (text === undefined ? [] : [text]));
const withoutAllowed = (line: string) => allowed.reduce((rest, text) => rest.replaceAll(text, ''), line);

it('no source, document or message uses a word that the list of plain English replaces', () => {
  const found = texts().flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        list.words
          .filter(({ pattern }) => new RegExp(pattern, 'i').test(withoutAllowed(line)))
          .map(({ pattern, use }) => `${file}:${index + 1} has /${pattern}/, use: ${use}`),
      ),
  );
  expect(found).toEqual([]);
});

it('every banned word has a pattern that finds it and a replacement', () => {
  for (const { pattern, use } of list.words) {
    expect(use).not.toBe('');
    expect(() => new RegExp(pattern, 'i')).not.toThrow();
  }
});
