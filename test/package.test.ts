import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const rules = '../.dependency-cruiser.mjs'
const { doors } = (await import(rules)) as { doors: Record<string, readonly string[]> }

const script = '../scripts/bundle.mjs'
const { writeShipped } = (await import(script)) as { writeShipped: () => Promise<void> }
// of `dist` as the tests have built it
await writeShipped()

/** Names of values that an entry file lists. */
function namesIn(path: string): string[] {
  const lists = readFileSync(path, 'utf8').matchAll(/^export (?!type )\{([^}]*)\} from/gm)
  return [...lists]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/^\w+ as /, ''))
    .toSorted()
}

describe('the package', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as {
    files: { path: string; size: number }[]
  }[]
  const files = packed?.files ?? []

  test('leaves the carried model and data at home, and takes the golden ones along', () => {
    expect(files.filter(({ path }) => path.startsWith('assets/hub/'))).toEqual([])
    expect(files.map(({ path }) => path)).toContain('assets/golden/bert/model.safetensors')
    expect(files.map(({ path }) => path)).toContain('NOTICE')
    // maps lead to sources that the package does not hold
    expect(files.filter(({ path }) => path.endsWith('.map'))).toEqual([])
    // every module is there once, in the bundle
    expect(files.filter(({ path }) => /^dist\/.*(?<!\.d\.ts)$/.test(path))).toEqual([])
    // 12 MB is above today's 10.5 (the tables of tasks, prompts and published scores are 1.5) and far below the
    // carried model's 45.
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(12e6)
  })

  describe('installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-package-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    let names: Record<string, string[]>

    beforeAll(() => {
      // what npm would unpack, next to the packages that it would install
      const modules = join(folder, 'node_modules')
      for (const { path } of files) {
        const target = join(modules, 'strata-lm', path)
        mkdirSync(dirname(target), { recursive: true })
        cpSync(join(root, path), target)
      }
      for (const name of readdirSync(join(root, 'node_modules')))
        if (!name.startsWith('.') && name !== 'strata-lm')
          symlinkSync(join(root, 'node_modules', name), join(modules, name))
      const program = `
        const names = {}
        for (const path of ${JSON.stringify(['strata-lm', ...Object.keys(doors).map((door) => `strata-lm/${door}`)])})
          names[path] = Object.keys(await import(path)).sort()
        console.log(JSON.stringify(names))`
      names = plainNode(program) as Record<string, string[]>
    })

    /** What a program prints, as JSON, in the folder where the package is installed. */
    function plainNode(program: string): unknown {
      const words = ['--input-type=module', '--eval', program]
      return JSON.parse(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }))
    }

    test('gives exactly these names', () => {
      expect(names['strata-lm']).toEqual([
        'Fault',
        'aggregateReport',
        'aggregationMethods',
        'aggregationNamed',
        'encode',
        'evaluate',
        'evaluateTask',
        'exportModel',
        'findTasks',
        'layerSimilarity',
        'layerVectors',
        'loadTask',
        'metrics',
        'openMergeFile',
        'openModel',
        'openRepo',
        'openStore',
        'openTensors',
        'openVectors',
        'parseRecipes',
        'planExperiment',
        'planMerge',
        'planPush',
        'planSweep',
        'push',
        'qualityOf',
        'readExperiment',
        'readFloat32',
        'renderReport',
        'reportOf',
        'runAggregate',
        'runExperiment',
        'runHarness',
        'runSearch',
        'runSweep',
        'similarities',
        'transformedQuality',
      ])
    })

    test.each(Object.keys(doors))(
      'strata-lm/%s opens in plain Node and gives the names that its file lists',
      (door) => {
        const listed = namesIn(join(root, 'src', 'doors', `${door}.ts`))
        expect(listed.length).toBeGreaterThan(3)
        expect(names[`strata-lm/${door}`]).toEqual(listed)
      },
    )

    test('has every module that a module names, down to the last', () => {
      const program = /^lib\/cli\/main\.js$|[/-]worker\.js$|-process-main\.js$|\/client\//
      const all = files.map(({ path }) => path).filter((path) => path.endsWith('.js'))
      const modules = all.filter((path) => !program.test(path))
      expect(modules.length).toBeGreaterThan(200)
      const failures = plainNode(`
        const failed = []
        for (const path of ${JSON.stringify(modules)})
          await import('./node_modules/strata-lm/' + path).catch((error) => failed.push(path + ': ' + error.message))
        console.log(JSON.stringify(failed))
        process.exit()`)
      expect(failures).toEqual([])
      const later = all.flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/\bimport\(['"](\.[^'"]+)['"]\)/g)].map(([, to = '']) =>
          join(dirname(path), to),
        ),
      )
      expect(later.length).toBeGreaterThan(50)
      expect(later.filter((path) => !all.includes(path))).toEqual([])
    })

    test('runs: its program, and a worker of its engine', () => {
      const main = join(folder, 'node_modules', 'strata-lm', 'lib', 'cli', 'main.js')
      const env = { ...process.env, STRATA_CACHE: join(folder, 'cache'), HF_HUB_CACHE: join(folder, 'hub') }
      const said = execFileSync(process.execPath, [main, 'doctor', '--json'], { cwd: folder, encoding: 'utf8', env })
      const checks = said.trim().split('\n')
      expect(checks.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({ name: 'self-check', status: 'ok' }),
      )
    })

    test('has no entry that is no door', () => {
      const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        exports: Record<string, unknown>
      }
      expect(Object.keys(exports).toSorted()).toEqual(
        ['.', './package.json', ...Object.keys(doors).map((door) => `./${door}`)].toSorted(),
      )
    })
  })

  test('keeps download addresses out of the lock file', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http')
  })
})
