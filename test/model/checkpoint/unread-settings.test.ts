import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openModel } from '#experiment/open'
import { tokensOf } from '#model/checkpoint'
import { carriedModel, useCarriedHub } from '../../carried.ts'
import { writeRepo } from './made-repo.ts'
import { unreadSettings } from '../../../src/model/checkpoint/unread-settings.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'strata-settings-'))))
afterEach(async () => rm(folder, { recursive: true, force: true }))

const modules = ['Transformer', 'Pooling', 'Dense', 'Normalize'].map((name, idx) => ({
  idx,
  name: String(idx),
  path: idx === 0 ? '' : `${idx}_${name}`,
  type: `sentence_transformers.models.${name}`,
}))
const stories = join(import.meta.dirname, '../../../assets/models/stories260K')

describe('settings of a sentence-transformers folder', () => {
  test('that are not followed are reported, one line for each file', async () => {
    const files = await writeRepo(folder, {
      'modules.json': modules.map((entry) => ({ ...entry, ...(entry.idx === 3 ? { weight: 2 } : {}) })),
      'config_sentence_transformers.json': { prompts: {}, __version__: {}, matryoshka: [8] },
      'sentence_bert_config.json': {
        max_seq_length: 8,
        query_length: 4,
        document_length: null,
        tokenizer_args: { padding_side: 'left' },
      },
      '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true, temperature: 2 },
      '2_Dense/config.json': { in_features: 4, out_features: 4, bias: true, dropout: 0.1 },
      '3_Normalize/config.json': { p: 1 },
    })
    const name = (line: string): string => line.replace(`${files.name}/`, '')
    expect((await unreadSettings(files)).map(name)).toEqual([
      'config_sentence_transformers.json: matryoshka is not followed',
      'sentence_bert_config.json: query_length is not followed',
      'sentence_bert_config.json › tokenizer_args: padding_side is not followed',
      '1_Pooling/config.json: temperature is not followed',
      '2_Dense/config.json: dropout is not followed',
      'modules.json › 3: weight is not followed',
      '3_Normalize/config.json: p is not followed',
    ])
  })

  test('all-MiniLM-L6-v2 has none', async () => {
    onTestFinished(useCarriedHub())
    const notices: string[] = []
    const model = await openModel(carriedModel, { onNotice: (line) => notices.push(line) })
    await model.close()
    expect(notices).toEqual([])
  })
})

describe('truncate_dim', () => {
  const opened = async (asking: Record<string, unknown>) => {
    const notices: string[] = []
    await cp(stories, folder, { recursive: true })
    await writeRepo(folder, {
      'modules.json': [modules[0], modules[1], modules[3]],
      '1_Pooling/config.json': { pooling_mode_mean_tokens: true },
      'config_sentence_transformers.json': asking,
    })
    const model = await openModel(folder, { onNotice: (line) => notices.push(line) })
    const inputIds = Int32Array.from([2, 5, 7, 3])
    const batch = { rows: 1, cols: 4, inputIds, attentionMask: new Int32Array(4).fill(1) }
    const width = (await model.encoder()).slots[0]?.width
    const { modules: identity } = await model.identity()
    const outputs = await tokensOf(model).run({ batch, states: [], pooled: true, embedding: true })
    await model.close()
    return { vector: outputs.find(({ name }) => name === 'embeddings')?.data, notices, width, identity }
  }

  test('leaves the first numbers of a vector, which is not normalised again', async () => {
    const { vector: full, identity: before } = await opened({})
    const { vector, notices, width, identity } = await opened({ truncate_dim: 5 })
    expect(width).toBe(5)
    // part of every key under which results and encoded texts are stored
    expect(identity).not.toBe(before)
    expect(full?.length).toBeGreaterThan(5)
    expect([...(vector ?? [])]).toEqual([...(full ?? [])].slice(0, 5))
    expect(notices).toEqual([])
    expect((await opened({ truncate_dim: 4096 })).vector).toEqual(full)
    expect(await opened({ truncate_dim: null })).toMatchObject({ vector: full, identity: before })
  })
})
