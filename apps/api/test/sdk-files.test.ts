import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sdkFiles } from '../src/documentation/content.ts';
import { givenApi, type TestApi } from './given-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await givenApi();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it.each(sdkFiles)('serves the SDK /docs/%s as text, without a key', async (file) => {
  const response = await fetch(`http://127.0.0.1:${api.port}/docs/${file}`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toBe(
    await readFile(join(import.meta.dirname, '..', 'src', 'documentation', 'sdk', file), 'utf8'),
  );
});
