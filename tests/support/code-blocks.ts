import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const block = /^```(\S+)(?: name=(\S+))?\n([^]*?)^```$/gm;

export interface CodeBlock {
  readonly language: string;
  /** `name=…` after the language. */
  readonly name: string | undefined;
  readonly code: string;
}

/** The root of the repository. */
export const root: string = join(import.meta.dirname, '..', '..');

/** The code blocks of a document, in order. */
export const codeBlocks = (document: string): CodeBlock[] =>
  Array.from(readFileSync(join(root, document), 'utf8').matchAll(block), ([, language = '', name, code = '']) => ({
    language,
    name,
    code,
  }));
