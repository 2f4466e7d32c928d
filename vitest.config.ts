import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/{src,test}/**/*.test.ts', '{tests,scripts}/**/*.test.ts'],
    globalSetup: 'packages/test-fixtures/src/global-setup.ts',
    // most of the time is spent waiting for servers that come and go
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
