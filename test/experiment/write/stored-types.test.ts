import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openMergeFile } from '#experiment/open'
import type { Compat } from '#model/merge-methods'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  await makeModel(join(root.path, 'narrow'), { seed: 1, dtype: 'BF16' })
  await makeModel(join(root.path, 'wide'), { seed: 2, dtype: 'F32' })
  return () => root.remove()
})

/** oracles/results/tokenizer-parity.json, "ties of two types" and "linear of two types": what mergekit stores. */
test.each<[string, Compat, string]>([
  ['ties', 'exact', 'F32'],
  ['ties', 'mergekit-0.1.4', 'BF16'],
  ['linear', 'exact', 'F32'],
  ['linear', 'mergekit-0.1.4', 'F32'],
])('%s of a bfloat16 base and a float32 model under %s is %s', async (method, compat, wanted) => {
  const path = join(root.path, `${method}.yml`)
  const models = [...(method === 'linear' ? ['narrow'] : []), 'wide']
    .map((name) => `  - {model: ${root.path}/${name}, parameters: {weight: 0.5}}\n`)
    .join('')
  await writeFile(path, `merge_method: ${method}\nbase_model: ${root.path}/narrow\nmodels:\n${models}`)
  const opened = await openMergeFile(path, { compat })
  onTestFinished(() => opened.close())
  expect(new Set(opened.plan.tensors.map(({ dtype }) => dtype))).toEqual(new Set([wanted]))
})
