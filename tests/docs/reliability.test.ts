import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const pages = ['docs/reliability.md', 'docs/reliability-security.md'];

interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

const rows = pages.flatMap((page) =>
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line): Row[] => {
      const [, id = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return /^[RS]\d+$/.test(id) ? [{ id, cells: cells.slice(0, -1) }] : [];
    }),
);

const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

const filesIn = (proof: string) =>
  Array.from(proof.matchAll(/`([^`]+)`/g), ([, code = '']) => code).filter((code) =>
    /^(apps|packages|scripts|tests)\//.test(code),
  );

describe('the table of promises', () => {
  it('has a row for each promise, in order, with all its columns', () => {
    expect(rows.map(({ id }) => id)).toEqual([...numbered('R', 39), ...numbered('S', 28)]);
    expect(rows.filter(({ cells }) => cells.length !== 4)).toEqual([]);
  });

  it('names a proof that exists for each promise, or says that there is none', () => {
    const unproven = rows.filter(({ cells: [, proof = ''] }) => {
      const files = filesIn(proof);
      return files.length === 0
        ? !proof.startsWith('not proven yet: ')
        : files.some((file) => !existsSync(join(root, file)));
    });
    expect(unproven).toEqual([]);
  });

  it('says when each proof ran', () => {
    const withProof = rows.filter(({ cells: [, proof = ''] }) => !proof.startsWith('not proven yet: '));
    expect(withProof.filter(({ cells: [, , ran = ''] }) => !/^(\d{1,2} [A-Z][a-z]{2}|`npm test`)$/.test(ran))).toEqual(
      [],
    );
  });
});
