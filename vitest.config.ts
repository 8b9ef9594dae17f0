import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

/**
 * What tests read: the bundle of the program as it was built, which a process loads in a small part of the time that
 * compiling the sources takes it; or the sources, where a change must be seen at once or a line be counted.
 */
const tested =
  process.argv.includes('run') && !process.argv.some((word) => word.startsWith('--coverage'))
    ? '.cache/bundle/dist'
    : 'src'

/**
 * Tests that change what every file of a process shares: they come first, and would need a process of their own. Some
 * put another room in the place of one, for which the sources must be read.
 */
const alone = [
  'test/shared.test.ts',
  'test/examples/examples.test.ts',
  'test/cli/every-flag.test.ts',
  'test/platform/runtime/dead-worker.test.ts',
  'test/platform/runtime/devices.test.ts',
  'test/platform/runtime/memory.test.ts',
]

/**
 * A process has these once, and the tables that plug-ins enter: a test that names one, or counts threads of the engine,
 * has a process of its own.
 */
const once =
  /process\.(env|chdir|on|memoryUsage|exitCode)|\bvi\.|globalThis\.|#platform\/(onnx|runtime|threads)|\bplugins\b/i
/**
 * The others share processes, so that the program and the engine are loaded once for all, and the processes in which
 * commands run (`test/cli/program.ts`) are started once for all.
 */
const together = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((path) => path.endsWith('.test.ts') && !alone.includes(path) && !once.test(readFileSync(path, 'utf8')))

/** Where names of rooms, of the package and of its doors lead, and paths of sources: into `folder`. */
function aliases(folder: typeof tested) {
  const below = new URL(folder, import.meta.url).pathname
  const ending = folder === 'src' ? 'ts' : 'js'
  return [
    // The examples import the package, and its doors, by name.
    { find: /^strata-lm$/, replacement: `${below}/index.${ending}` },
    { find: /^strata-lm\/(.+)$/, replacement: `${below}/doors/$1.${ending}` },
    { find: /^#(.+)$/, replacement: `${below}/$1/index.${ending}` },
    // One copy of a module per process, by whichever path a test names it.
    { find: /^(?:\.\.?\/)+src\/(.+)\.ts$/, replacement: `${below}/$1.${ending}` },
  ]
}

/**
 * Tests of one kind. `isolate: false` loads the program once for many files, but variables of the environment and caches
 * of the process then pass from file to file.
 */
function project(
  name: string,
  folder: typeof tested,
  files: { include: string[]; exclude?: string[]; isolate: boolean },
) {
  return {
    resolve: { alias: aliases(folder) },
    test: {
      name,
      ...files,
      globalSetup: ['test/global-setup.ts'],
      // Native modules (engine, tokenizers, duckdb) are not happy in worker threads shared by tests.
      pool: 'forks',
      // Collecting young objects took a tenth of the time. Processes that run commands (test/cli/program.ts) inherit it.
      execArgv: ['--max-semi-space-size=64'],
      // What was built is loaded by Node itself.
      server: { deps: { external: [/\/dist\//] } },
      // Ends a test that hangs; on a busy machine others take their time.
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  } satisfies TestProjectInlineConfiguration
}

export default defineConfig({
  // For the setup of the whole run, which may come before anything is built.
  resolve: { alias: aliases('src') },
  test: {
    globalSetup: ['test/build-setup.ts'],
    maxWorkers: 3,
    coverage: { provider: 'v8', include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('alone', 'src', { include: alone, isolate: true }),
      project('rooms', tested, { include: ['test/**/*.test.ts'], exclude: [...alone, ...together], isolate: true }),
      project('together', tested, { include: together, isolate: false }),
    ],
  },
})
