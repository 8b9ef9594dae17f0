import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openVectors } from '#experiment/open'
import { runSweep, taskTexts } from '#experiment/sweep'
import { narrow, writeNpy, writeSafetensors } from '#files/formats'
import { readTaskFiles } from '#task/registry'

const root = mkdtempSync(join(tmpdir(), 'strata-vectors-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const at = (name: string): string => join(root, name)

const texts = [
  { text: 'apple', prompt_type: null },
  { text: 'apple', prompt_type: 'query' },
  { text: 'pear', prompt_type: 'document' },
  { text: '', prompt_type: null },
]
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
writeFileSync(at('texts.jsonl'), lines(texts))
/** Row i: i, i + 0.5, −i – exact in every float type. */
const values = Float32Array.from(texts.flatMap((_, i) => [i, i + 0.5, -i]))
const row = (i: number): number[] => Array.from(values.subarray(3 * i, 3 * i + 3))

async function files(dtype: 'F16' | 'F32' | 'F64'): Promise<string[]> {
  const layout = { dtype, shape: [4, 3], bytes: narrow(values, dtype) }
  await writeNpy(at(`${dtype}.npy`), layout)
  await writeSafetensors(at(`${dtype}.safetensors`), [
    { name: 'other', dtype: 'F32', shape: [1], bytes: new Uint8Array(4) },
    { name: 'rows', ...layout },
  ])
  return [at(`${dtype}.npy`), at(`${dtype}.safetensors`)]
}

describe('recorded vectors', () => {
  test.each(['F16', 'F32', 'F64'] as const)(
    '%s: every text has its row, by side where sides were recorded',
    async (dtype) => {
      for (const vectors of await files(dtype)) {
        const model = await openVectors({ vectors, texts: at('texts.jsonl') })
        const embedder = await model.embedder()
        const ask = async (wanted: string[], promptType?: 'query' | 'document') =>
          Array.from((await embedder.embed(wanted, promptType ? { promptType } : {})).data)
        expect(await ask(['', 'apple', 'apple'])).toEqual([...row(3), ...row(0), ...row(0)])
        expect(await ask(['apple', ''], 'query')).toEqual([...row(1), ...row(3)])
        expect(await ask(['apple', 'pear'], 'document')).toEqual([...row(0), ...row(2)])
        expect(model.name).toBe(`vectors/${dtype}`)
        expect(await model.revision()).toMatch(/^[0-9a-f]{12}$/)
        await expect(ask(['pear'])).rejects.toMatchObject({ code: 'vectors.missing', parts: { seen: 'pear' } })
        await model.close()
      }
    },
  )

  test('are other inputs with other texts, or the same in another order', async () => {
    const [vectors = ''] = await files('F32')
    const orders = [
      texts,
      texts.toReversed(),
      texts.map((one) => ({ ...one, text: `${one.text}s` })),
      texts.map(({ text }) => ({ text, prompt_type: 'query' })),
    ]
    const seen = new Set<string>()
    for (const [at, own] of orders.entries()) {
      const model = await openVectors({ vectors, texts: write(`order-${at}.jsonl`, lines(own)) })
      seen.add(JSON.stringify(await model.identity()))
      await model.close()
    }
    expect(seen.size).toBe(orders.length)
  })

  test('plain text files have one text a line', async () => {
    writeFileSync(at('texts.txt'), 'one\ntwo\n\nfour\n')
    const [vectors = ''] = await files('F32')
    const model = await openVectors({ vectors, texts: at('texts.txt') })
    const embedder = await model.embedder()
    expect(Array.from((await embedder.embed(['four', ''])).data)).toEqual([...row(3), ...row(2)])
    await model.close()
  })

  test.each<[string, () => Promise<{ vectors: string; texts: string }>, string]>([
    [
      'another number of texts',
      async () => ({ vectors: (await files('F32'))[0] ?? '', texts: write('few.jsonl', lines(texts.slice(1))) }),
      'tensor.shape',
    ],
    [
      'a side that is none',
      async () => ({
        vectors: (await files('F32'))[0] ?? '',
        texts: write('side.jsonl', lines([{ text: 'a', prompt_type: 'passage' }])),
      }),
      'usage.value',
    ],
    [
      'a text that is none',
      async () => ({ vectors: (await files('F32'))[0] ?? '', texts: write('null.jsonl', lines([{ text: 1 }])) }),
      'table.read',
    ],
    ['no matrix', async () => ({ vectors: await vector(), texts: at('texts.jsonl') }), 'tensor.shape'],
    [
      'no column of texts',
      async () => ({ vectors: (await files('F32'))[0] ?? '', texts: write('other.jsonl', lines([{ word: 'a' }])) }),
      'table.column',
    ],
  ])('%s is refused', async (_, made, code) => {
    await expect(openVectors(await made())).rejects.toMatchObject({ code })
  })

  function write(name: string, content: string): string {
    writeFileSync(at(name), content)
    return at(name)
  }
  async function vector(): Promise<string> {
    await writeNpy(at('vector.npy'), { dtype: 'F32', shape: [4], bytes: new Uint8Array(16) })
    return at('vector.npy')
  }
})

describe('texts that tasks ask', () => {
  const beir = at('beir')
  mkdirSync(join(beir, 'qrels'), { recursive: true })
  writeFileSync(
    join(beir, 'corpus.jsonl'),
    lines([
      { _id: 'd1', title: 'T', text: 'one' },
      { _id: 'd2', text: 'two' },
      { _id: 'd3', text: 'two' },
    ]),
  )
  writeFileSync(
    join(beir, 'queries.jsonl'),
    lines([
      { _id: 'q1', text: 'two' },
      { _id: 'q2', text: 'never judged' },
    ]),
  )
  writeFileSync(join(beir, 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq1\td2\t1\n')
  writeFileSync(at('pairs.csv'), 'sentence1,sentence2,score\none,two,1\ntwo,three,2\none,four,3\n')
  writeFileSync(at('pairs.yaml'), 'name: Pairs\ntype: STS\ndata: pairs.csv\n')

  test('come once a side, in a stable order, and are all that an evaluation needs', async () => {
    const { tasks, data } = await readTaskFiles([beir, at('pairs.yaml')])
    const asked = async () => {
      const found: unknown[] = []
      for await (const batch of taskTexts({ tasks, ownData: data })) found.push(...batch)
      return found
    }
    const all = await asked()
    expect(all).toEqual([
      { text: 'two', prompt_type: 'query' },
      { text: 'T one', prompt_type: 'document' },
      { text: 'two', prompt_type: 'document' },
      { text: 'one', prompt_type: null },
      { text: 'two', prompt_type: null },
      { text: 'three', prompt_type: null },
      { text: 'four', prompt_type: null },
    ])
    expect(await asked()).toEqual(all)

    writeFileSync(at('all.jsonl'), lines(all))
    const bytes = Float32Array.from(all.flatMap((_, i) => [Math.cos(i), Math.sin(i)]))
    await writeNpy(at('all.npy'), { dtype: 'F32', shape: [all.length, 2], bytes: new Uint8Array(bytes.buffer) })
    const model = await openVectors({ vectors: at('all.npy'), texts: at('all.jsonl') })
    const results = []
    for await (const { result } of runSweep(model, {
      tasks,
      ownData: data,
      representations: [{ kind: 'default' }],
      outputFolder: at('results'),
    }))
      results.push(result)
    expect(results.map(({ strata: { status, model: name, reason } }) => [status, name, reason])).toEqual([
      ['ok', 'vectors/all', undefined],
      ['ok', 'vectors/all', undefined],
    ])
    // q1 = (1, 0); d2 and d3 are both (cos 2, sin 2), d1 is (cos 1, sin 1): d1 leads, of the equal ones the larger id,
    // so the judged d2 is third
    expect(results[0]?.scores?.['test']?.[0]).toMatchObject({ ndcg_at_1: 0, recall_at_3: 1, map_at_3: 0.33333 })
    await model.close()
  })
})
