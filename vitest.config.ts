import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

/** Tests that change what every file of a process shares: they come first, and would need a process of their own. */
const alone = [
  'test/shared.test.ts',
  'test/examples/examples.test.ts',
  'test/cli/every-flag.test.ts',
  'test/platform/runtime/{dead-worker,devices,memory}.test.ts',
]

/** Wings whose tests are mostly of functions: many files share a process, and the sources are loaded once for all. */
const wings = ['core', 'files', 'model', 'representation', 'result', 'task', 'platform']
/** What a process has once: a test that names one of these, or loads the engine, has a process of its own. */
const once =
  /process\.(env|chdir|on|memoryUsage|exitCode)|\bvi\.|globalThis\.|#platform\/(onnx|runtime|threads)|#experiment/
const together = wings
  .flatMap((wing) =>
    readdirSync(`test/${wing}`, { recursive: true, encoding: 'utf8' }).map((name) => join('test', wing, name)),
  )
  .filter((path) => path.endsWith('.test.ts') && !once.test(readFileSync(path, 'utf8')))

/**
 * Tests of one kind. `isolate: false` compiles the sources once for many files, but variables of the environment and
 * caches of the process then pass from file to file.
 */
function project(name: string, files: { include: string[]; exclude?: string[]; isolate: boolean }) {
  return {
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
      name,
      ...files,
      globalSetup: ['test/global-setup.ts'],
      // Native modules (engine, tokenizers, duckdb) are not happy in worker threads shared by tests.
      pool: 'forks',
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  } satisfies TestProjectInlineConfiguration
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('alone', { include: alone, isolate: true }),
      project('rooms', { include: ['test/**/*.test.ts'], exclude: [...alone, ...together], isolate: true }),
      project('together', { include: together, isolate: false }),
    ],
  },
})
