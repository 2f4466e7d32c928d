import { defineConfig } from 'vitest/config';
import { testMaxMs, waitMaxMs } from './packages/testing/src/wait-max-ms.ts';

export default defineConfig({
  // @leadback/sdk as it is here, without a build
  ssr: { resolve: { conditions: ['leadback-source', 'node', 'module', 'development|production'] } },
  test: {
    include: ['{apps,packages,examples}/*/{src,test,web}/**/*.test.ts', '{tests,scripts}/**/*.test.ts'],
    globalSetup: 'packages/testing/src/global-setup.ts',
    // Files share the modules of their process: to load them again for each would take as long as the tests.
    isolate: false,
    // more workers than cores: tests mostly wait for servers
    maxWorkers: 5,
    testTimeout: testMaxMs,
    hookTimeout: testMaxMs,
    expect: { poll: { timeout: waitMaxMs, interval: 50 } },
    restoreMocks: true,
  },
});
