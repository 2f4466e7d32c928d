import { gzipSync } from 'node:zlib';
import { scripts } from '@leadback/core/pages/script';
import { expect, it } from 'vitest';
import { buildPageScript } from '../../scripts/page-script/build.ts';

const [newest] = scripts;

it('apps serve the script for pages of advertisers as its source makes it', async () => {
  expect(newest.text, 'run: node scripts/run.mjs page-script').toBe(await buildPageScript());
});

it('the script for pages of advertisers takes at most 2 kB, and runs no text as code', () => {
  expect(gzipSync(newest.text, { level: 9 }).byteLength).toBeLessThanOrEqual(2_000);
  expect(newest.text).not.toMatch(
    /\beval\b|\bFunction\b|innerHTML|outerHTML|document\.write|insertAdjacentHTML|setTimeout\(['"`]/,
  );
});
