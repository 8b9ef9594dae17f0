import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compareWithGolden } from '#experiment/open'

const bert = join(import.meta.dirname, '../../../assets/golden/bert')

test('the golden model that the package carries gives the tensors of its golden file', async () => {
  const { difference, compared, missing } = await compareWithGolden(bert)
  // float32 against float64; the bound the file was published with
  expect(difference).toBeLessThan(1e-5)
  expect(compared).toBeGreaterThan(2)
  expect(missing).toEqual([])
})

test('another configuration is seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-golden-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(bert, folder, { recursive: true })
  const { default: config } = (await import(join(bert, 'config.json'), { with: { type: 'json' } })) as {
    default: Record<string, unknown>
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, layer_norm_eps: 0.5 }))
  expect((await compareWithGolden(folder)).difference).toBeGreaterThan(1e-2)
})
