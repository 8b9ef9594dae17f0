import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The examples import the package by its name.
  resolve: { alias: { 'strata-lm': new URL('src/index.ts', import.meta.url).pathname } },
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
