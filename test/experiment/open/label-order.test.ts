import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { strata } from '../../cli/program.ts'
import { scratchFolder } from '../../scratch.ts'
import { openMergeFile, openModel } from '#experiment/open'
import { openTensors, readFloat32 } from '#files/formats'
import { counting } from '../../model/checkpoint/made-repo.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path } = scratchFolder()
const labels = ['alarm', 'music', 'news']
/** Rows of the head by label: the same classifier whatever the order. */
const rows: Readonly<Record<string, readonly number[]>> = {
  alarm: [1, 2, 3, 4],
  music: [5, 6, 7, 8],
  news: [9, 10, 11, 12],
}
const bias: Readonly<Record<string, number>> = { alarm: 0.5, music: -0.5, news: 2 }

async function classifier(name: string, order: readonly string[], written: readonly string[] = order): Promise<void> {
  await writeSmallModel(path(name), {
    'config.json': {
      architectures: ['BertForSequenceClassification'],
      id2label: Object.fromEntries(written.map((label, index) => [index, label])),
    },
    'model.safetensors': {
      'embeddings.word_embeddings.weight': counting(7, 4),
      'classifier.weight': { shape: [3, 4], values: order.flatMap((label) => rows[label] ?? []) },
      'classifier.bias': { shape: [3], values: order.map((label) => bias[label] ?? 0) },
    },
  })
}

const turned = ['news', 'alarm', 'music']
beforeAll(async () => {
  await classifier('one', labels)
  await classifier('other', turned)
  await classifier('unnamed', labels, ['LABEL_0', 'LABEL_1', 'LABEL_2'])
  await classifier('strange', turned, ['news', 'alarm', 'weather'])
  await classifier('twice', turned, ['news', 'news', 'music'])
})

async function recipe(...models: readonly string[]): Promise<string> {
  const file = path(`${models.join('-')}.yml`)
  const list = models.map((model) => `  - model: ${path(model)}\n    parameters: { weight: 0.5 }\n`).join('')
  await writeFile(file, `merge_method: linear\nmodels:\n${list}`)
  return file
}

describe('classifiers with their labels in other orders', () => {
  test('are merged by name, unwritten and written, in the order of the first', async () => {
    const file = await recipe('one', 'other')
    const opened = await openMergeFile(file)
    expect(opened.plan.notes).toEqual([expect.stringMatching(/other has its labels in another order than .*one/)])
    await opened.close()
    const model = await openModel(`merge:${file}`)
    expect([...(await readFloat32(model.tensors, 'classifier.weight'))]).toEqual(
      labels.flatMap((label) => rows[label] ?? []),
    )
    expect([...(await readFloat32(model.tensors, 'classifier.bias'))]).toEqual(labels.map((label) => bias[label]))
    await model.close()

    await mkdir(path('out'))
    const { code, stderr } = await strata(['merge', file, path('out/written'), '--quiet'])
    expect([code, stderr]).toEqual([0, ''])
    const written = await openTensors(join(path('out/written'), 'model.safetensors'))
    expect([...(await readFloat32(written, 'classifier.weight'))]).toEqual(labels.flatMap((label) => rows[label] ?? []))
    await written.close()
    const config = JSON.parse(await readFile(join(path('out/written'), 'config.json'), 'utf8')) as { id2label: object }
    expect(Object.values(config.id2label)).toEqual(labels)
  })

  test('have another identity than in the same order', async () => {
    const revisionOf = async (...models: readonly string[]): Promise<string> => {
      const model = await openModel(`merge:${await recipe(...models)}`)
      const revision = await model.revision()
      await model.close()
      return revision
    }
    // the same bytes with other names
    await classifier('renamed', turned, labels)
    expect(await revisionOf('one', 'other')).not.toBe(await revisionOf('one', 'renamed'))
  })

  test('are taken as they stand where they have no names', async () => {
    const opened = await openMergeFile(await recipe('one', 'unnamed'))
    expect(opened.plan.notes).toEqual([])
    await opened.close()
  })

  test.each(['strange', 'twice'])('are refused where the names are not the same: %s', async (name) => {
    await expect(openMergeFile(await recipe('one', name))).rejects.toMatchObject({
      code: 'usage.conflict',
      message: expect.stringMatching(/the labels are not those of .*one/) as string,
    })
  })
})
