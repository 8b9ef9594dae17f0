import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as library from '../src/index.ts'

const root = join(import.meta.dirname, '..')

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
    // 12 MB is far above today's 8 (the tables of tasks, prompts and published scores are 1.5) and far below the
    // carried model's 45.
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(12e6)
  })

  test('gives exactly these names', () => {
    expect(Object.keys(library).toSorted()).toEqual([
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
      'openModel',
      'openRepo',
      'openStore',
      'openTensors',
      'openVectors',
      'planSweep',
      'qualityOf',
      'readFloat32',
      'runAggregate',
      'runSweep',
      'similarities',
      'transformedQuality',
    ])
  })

  test('keeps download addresses out of the lock file', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http')
  })
})
