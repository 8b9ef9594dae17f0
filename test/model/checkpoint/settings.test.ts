/** Every option of a model, through `openModel`, moves the vectors as it says. */
import { expect, onTestFinished, test } from 'vitest'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { statesOf } from '#model/checkpoint'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'

const { path } = scratchFolder()
const texts = ['a b a', 'b', 'a a b b']

const modulesOf = (...names: readonly string[]) => ({
  'modules.json': names.map((name, idx) => ({
    idx,
    name: String(idx),
    path: idx === 0 ? '' : `${String(idx)}_${name}`,
    type: `sentence_transformers.models.${name}`,
  })),
  '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true },
})

async function rowsOf(
  files: Readonly<Record<string, object>>,
  options: OpenModelOptions & { representation?: string } = {},
  list: readonly string[] = texts,
): Promise<number[]> {
  const { representation = 'default', ...given } = options
  const model = await openModel(
    await writeSmallModel(path(JSON.stringify(files).replace(/\W+/g, '').slice(-60)), files),
    given,
  )
  onTestFinished(() => model.close())
  return [...(await encode(model, list, { representation })).data]
}

test("the pooling that is asked for beats the folder's", async () => {
  expect(await rowsOf(modulesOf('Transformer', 'Pooling'), { pooling: 'cls' })).toEqual(
    await rowsOf({}, { representation: 'h1-cls' }),
  )
})

test('the longest input cuts texts', async () => {
  const cut = texts.map((text) => text.split(' ').slice(0, 2).join(' '))
  expect(await rowsOf({}, { maxLength: 2 })).toEqual(await rowsOf({}, {}, cut))
})

test('another architecture reads the same config in its own way', async () => {
  // RoBERTa counts positions from the one behind that of padding
  expect(await rowsOf({}, { architecture: 'roberta' })).toEqual(
    await rowsOf({ 'config.json': { model_type: 'roberta', architectures: ['RobertaModel'] } }),
  )
  expect(await rowsOf({}, { architecture: 'roberta' })).not.toEqual(await rowsOf({}))
})

test('a folder that reads letters as small ones does', async () => {
  const lower = { ...modulesOf('Transformer', 'Pooling'), 'sentence_bert_config.json': { do_lower_case: true } }
  expect(await rowsOf(lower, {}, ['A b', 'B'])).toEqual(await rowsOf({}, {}, ['a b', 'b']))
  expect(await rowsOf({}, {}, ['A b', 'B'])).not.toEqual(await rowsOf({}, {}, ['a b', 'b']))
})

test('modules behind the pooling are applied, to default alone', async () => {
  const normed = modulesOf('Transformer', 'Pooling', 'Normalize')
  const [plain, unit] = [await rowsOf({}), await rowsOf(normed)]
  for (const at of texts.keys()) {
    const [before, after] = [plain.slice(4 * at, 4 * at + 4), unit.slice(4 * at, 4 * at + 4)]
    after.forEach((value, k) => expect(value).toBeCloseTo((before[k] ?? NaN) / Math.hypot(...before), 5))
  }
  expect(await rowsOf(normed, { representation: 'h1' })).toEqual(plain)
})

test('a chat is rendered, and brings its own special tokens', async () => {
  const special = {
    'tokenizer.json': { post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] } },
    'tokenizer_config.json': {
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      chat_template: '{{ messages[0].role }} {{ sep_token }} b {{ messages[0].content }}',
    },
  }
  // without a template of special tokens: what was rendered, and nothing else; "user" is no word of it
  const bare = { 'tokenizer_config.json': { cls_token: '[CLS]', sep_token: '[SEP]' } }
  const rendered = texts.map((text) => `user [SEP] b ${text}`)
  expect(await rowsOf(special, { chat: true })).toEqual(await rowsOf(bare, {}, rendered))
})

test.skipIf(!shared)('the final norm of a decoder is applied to every state, or as the reference does', async () => {
  const states = async (finalNorm?: 'native' | 'always'): Promise<number[][]> => {
    const model = await openModel(
      sharedPath('models', 'pico', 'sentence-transformers', 'lasttoken-qwen2'),
      finalNorm === undefined ? {} : { finalNorm },
    )
    onTestFinished(() => model.close())
    expect(model.settings).toMatchObject({ finalNorm: finalNorm ?? 'always', native: 'transformers-5' })
    const all = Array.from({ length: statesOf(model).count }, (_, h) => h)
    return (await (await statesOf(model).encoder(all)).encode(['a', 'b c'], null, {})).map((rows) => [...rows])
  }
  const [own, native, always] = [await states(), await states('native'), await states('always')]
  expect(own).toEqual(always)
  expect(native[0]).not.toEqual(always[0])
})

test('a device that the program does not know is refused, not passed over', async () => {
  const folder = await writeSmallModel(path('device'))
  const model = await openModel(folder, { device: 'abacus' as 'cpu' })
  onTestFinished(() => model.close())
  await expect(encode(model, texts)).rejects.toMatchObject({ code: 'usage.value' })
})
