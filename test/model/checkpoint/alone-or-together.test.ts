import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '#experiment/open'
import { carriedSnapshot } from '../../carried.ts'
import { scratchFolder } from '../../scratch.ts'
import { counting } from './made-repo.ts'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'

const { path } = scratchFolder()
const texts = [
  'a',
  'guitar',
  'cat sat on the mat',
  'Two dogs run',
  'x y',
  'A man is playing a guitar on the stage tonight, and nobody in the hall listens to what he plays',
  'Rates of interest rose again in the third quarter of the year, said the bank',
  '?',
]

// A kept vector equals a computed one only if it does not depend on the other texts of its batch.
test.each(['mean', 'cls', 'max', 'lasttoken', 'pooler'] as const)(
  'a text has the same vector alone and among others, bit by bit: %s',
  async (pooling) => {
    const model = await openModel(carriedSnapshot, { pooling })
    onTestFinished(() => model.close())
    // many batches, which two sessions compute side by side
    const inBatches = await openModel(carriedSnapshot, { pooling, batchTokens: 16, threads: 2 })
    onTestFinished(() => inBatches.close())
    const rowsOf = async (list: readonly string[], of = model) => {
      const [data = new Float32Array(0)] = await (await of.encoder()).encode(list, null, {})
      const width = data.length / list.length
      return list.map((_, i) => [...data.subarray(i * width, (i + 1) * width)])
    }
    const together = await rowsOf(texts)
    const alone = await Promise.all(texts.map(async (text) => (await rowsOf([text]))[0]))
    expect(new Set(together.map((row) => JSON.stringify(row))).size).toBe(texts.length)
    expect(alone).toEqual(together)
    expect(await rowsOf(texts.slice(2, 6))).toEqual(together.slice(2, 6))
    expect(await rowsOf(texts, inBatches)).toEqual(together)
  },
)

test('so has a text of one token, without special tokens', async () => {
  // its tokenizer adds none
  const model = await openModel(await writeSmallModel(path('small')))
  onTestFinished(() => model.close())
  const encoder = await model.encoder()
  const [[a], [aAndB]] = [await encoder.encode(['a'], null, {}), await encoder.encode(['a', 'b'], null, {})]
  expect([...(a ?? [])]).toEqual([...(aAndB?.subarray(0, 4) ?? [])])
})

test('so have the logits of a classifier', async () => {
  const architectures = ['BertForSequenceClassification']
  const folder = await writeSmallModel(path('classifier'), {
    'config.json': { architectures, id2label: { 0: 'x', 1: 'y', 2: 'z' } },
    'model.safetensors': { 'classifier.weight': counting(3, 4), 'classifier.bias': counting(3) },
  })
  const model = await openModel(folder)
  onTestFinished(() => model.close())
  const head = await model.classifier?.()
  const list = ['a b a', 'b', 'a a b b', 'b a']
  const together = await head?.logits(list)
  const inBatches = await openModel(folder, { batchTokens: 4, threads: 2 })
  onTestFinished(() => inBatches.close())
  expect(await (await inBatches.classifier?.())?.logits(list)).toEqual(together)
  const alone = await Promise.all(list.map(async (text) => [...((await head?.logits([text]))?.data ?? [])]))
  expect(together?.width).toBe(3)
  expect(alone.flat()).toEqual([...(together?.data ?? [])])
})

test('classifiers asked the same in turn read it each by its own tokenizer and length', async () => {
  const files = {
    'config.json': { architectures: ['BertForSequenceClassification'], id2label: { 0: 'x', 1: 'y', 2: 'z' } },
    'model.safetensors': { 'classifier.weight': counting(3, 4), 'classifier.bias': counting(3) },
  }
  const vocab = { '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, a: 5, b: 4 }
  const swapped = { 'tokenizer.json': { model: { type: 'WordLevel', vocab, unk_token: '[UNK]' } } }
  const logitsOf = async (folder: string, text: string, maxLength?: number) => {
    const model = await openModel(folder, { maxLength })
    onTestFinished(() => model.close())
    return (await (await model.classifier?.())?.logits([text]))?.data
  }
  const [plain, other] = [
    await writeSmallModel(path('turn'), files),
    await writeSmallModel(path('turn-swapped'), { ...files, ...swapped }),
  ]
  const whole = await logitsOf(plain, 'a b b')
  const cut = await logitsOf(plain, 'a b b', 2)
  const turned = await logitsOf(other, 'a b b')
  expect(cut).not.toEqual(whole)
  expect(turned).not.toEqual(whole)
  expect([cut, turned]).toEqual([await logitsOf(plain, 'a b'), await logitsOf(plain, 'b a a')])
})
