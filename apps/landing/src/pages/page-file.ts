import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Disk } from '../disk/bounded-disk.ts';
import { errorCode } from '../disk/error-code.ts';
import { writeAtomically } from '../disk/write-atomically.ts';
import { type ServedPage, servedPageSchema } from './served-page.ts';

export const pageFileName = 'pages';

// A running app writes the file every hour. The pages of an older one say what nobody has checked for a week.
const ageMaxMs = 7 * 24 * 3_600_000;

const contentSchema = z.object({
  // another version of landing may have other fields
  version: z.literal(1),
  savedAt: z.iso.datetime(),
  pages: z.array(servedPageSchema),
});

export interface SavedPages {
  readonly savedAt: string;
  readonly pages: readonly ServedPage[];
}

/** The pages of the last run, beside the buffered leads. */
export interface PageFile {
  /** Returns undefined if there is no file. Throws if it is damaged, too old, or not readable in time. */
  load(): Promise<SavedPages | undefined>;
  save(pages: readonly ServedPage[]): Promise<void>;
}

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

const parse = (file: string): SavedPages => {
  const [expected, content = ''] = file.split('\n');
  if (checksum(content) !== expected) throw new Error('the file of pages is damaged');
  const saved = contentSchema.parse(JSON.parse(content));
  const ageMs = Date.now() - Date.parse(saved.savedAt);
  if (ageMs > ageMaxMs) throw new Error(`the file of pages is too old: ${saved.savedAt}`);
  return saved;
};

/** Several instances may share the folder: each has the same pages. */
export const pageFile = (folder: string, disk: Disk): PageFile => ({
  async load() {
    try {
      return parse(await disk(() => readFile(join(folder, pageFileName), 'utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  async save(pages) {
    const content = JSON.stringify({ version: 1, savedAt: new Date().toISOString(), pages });
    await disk(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomically(folder, pageFileName, `${checksum(content)}\n${content}\n`);
    });
  },
});
