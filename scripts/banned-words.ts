// The check `words`: finds the words of `banned-words.json` in sources, documents and messages, and names what to write instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './start/data-folder.ts';

const pattern = z.string().transform((text) => new RegExp(text, 'i'));
const listSchema = z.object({
  words: z.array(z.object({ pattern, use: z.string().min(1) })),
  exceptions: z.array(z.object({ file: pattern.optional(), text: z.string().optional(), reason: z.string().min(1) })),
});
const { words, exceptions } = listSchema.parse(
  JSON.parse(readFileSync(new URL('./banned-words.json', import.meta.url), 'utf8')),
);

const isRead = /\.(ts|mjs|cjs|js|md|ya?ml|json|sh|sql|css|html)$|(^|\/)(Dockerfile|\.env\.example)$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => isRead.test(file) && existsSync(join(root, file)))
  .filter((file) => !exceptions.some((one) => one.file?.test(file)));

const allowed = exceptions.flatMap(({ text }) => (text === undefined ? [] : [text]));
const withoutAllowed = (line: string) => allowed.reduce((rest, text) => rest.replaceAll(text, ''), line);

const found = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      words
        .filter((word) => word.pattern.test(withoutAllowed(line)))
        .map((word) => `${file}:${index + 1} has ${word.pattern.source}, use: ${word.use}\n`),
    ),
);
process.stdout.write(found.join(''));
process.exitCode = found.length === 0 ? 0 : 1;
