import { expect, test } from 'vitest'
import { frontMatter } from '#files/formats'
import { mlflow } from '../../../src/result/exports/mlflow.ts'
import { context, finished } from './made-finished.ts'

const files = mlflow.files([finished('default'), finished('h3'), finished('h3', { task_name: '../Mine' })], context)
const content = (pattern: RegExp): string[] =>
  files.flatMap(({ path, content: text }) => (pattern.test(path) ? [String(text)] : []))

test('each representation is a finished run of experiment 0, under the same id every time', () => {
  expect(content(/^0\/meta\.yaml$/)).toHaveLength(1)
  const runs = content(/^0\/[0-9a-f]{32}\/meta\.yaml$/).map((text) => frontMatter(`---\n${text}---\n`, 'run'))
  expect(runs).toMatchObject([
    { run_name: 'sentence-transformers/all-MiniLM-L6-v2', status: 3, start_time: 1_760_000_000_500, tags: [] },
    { run_name: 'sentence-transformers/all-MiniLM-L6-v2 h3', status: 3, lifecycle_stage: 'active' },
  ])
  expect(mlflow.files([finished('default')], context)[1]?.path).toBe(files[1]?.path)
})

test('metrics are lines of time, value and step; params and tags are texts', () => {
  const [, run = ''] = /^0\/([0-9a-f]{32})/.exec(files[1]?.path ?? '') ?? []
  const of = (path: string): unknown => files.find((one) => one.path === `0/${run}/${path}`)?.content
  expect(of('metrics/STS17/main_score')).toBe('1760000000500 0.70692 0\n')
  expect(of('metrics/STS17/test/en-en/cosine_pearson')).toBe('1760000000500 0.661287 0\n')
  expect(of('params/representation')).toBe('default')
  expect(of('params/maxLength')).toBe('256')
  expect(of('tags/mlflow.runName')).toBe('sentence-transformers/all-MiniLM-L6-v2')
})

test('a name from outside stays one folder below the metrics', () => {
  const paths = files.map(({ path }) => path).filter((path) => path.includes('Mine'))
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) expect(path).toMatch(/^0\/[0-9a-f]{32}\/metrics\/\.\._Mine\//)
})
