import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: [
      // The examples import the package, and its doors, by name.
      { find: /^strata-lm$/, replacement: new URL('src/index.ts', import.meta.url).pathname },
      { find: /^strata-lm\/(.+)$/, replacement: `${new URL('src/doors', import.meta.url).pathname}/$1.ts` },
      // A room by its name is its door, here the source and not what was built of it.
      { find: /^#(.+)$/, replacement: `${new URL('src', import.meta.url).pathname}/$1/index.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Native modules (engine, tokenizers, duckdb) are not happy in worker threads shared by tests.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
  },
})
