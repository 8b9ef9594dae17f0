import { existsSync, readFileSync, readdirSync, statSync, writeFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openModel, openUntrained } from '#experiment/open'
import { planProbe, type Probed, type ProbeOptions, runProbe, summariesOf } from '#experiment/probe'
import { type Model, statesOf, tokensOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { openProbeData, type ProbeCollection, type ProbeDataSet } from '#task/probing'
import { openProbeVectors } from '../../../src/experiment/probe/probe-vectors.ts'
import { openSpanVectors } from '../../../src/experiment/probe/span-vectors.ts'
import { portionOf } from '../../../src/experiment/probe/portion.ts'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()
const opened = async (name: string): Promise<Model> =>
  openModel(await writeSmallModel(path(name)), { store: openStore(path(`${name}-vectors`)) })

/** Which of two words comes first, and how many words there are. */
const sentences: ProbeDataSet = {
  name: 'first-word',
  taskType: 'SENTENCE',
  classes: 2,
  labels: ['a', 'b'],
  instances: Array.from({ length: 120 }, (_, i) => {
    const words = Array.from({ length: 2 + (i % 5) }, (_unused, k) => ((i * 7 + k * k) % 3 === 0 ? 'a' : 'b'))
    return {
      id: String(i),
      inputs: [{ text: words.join(' ') }],
      contexts: [],
      label: words[0] === 'a' ? 0 : 1,
      split: i < 80 ? 'train' : i < 96 ? 'dev' : 'test',
    } as const
  }),
}
const tokens: ProbeDataSet = {
  ...sentences,
  name: 'word',
  taskType: 'SENTENCE_TOKENS',
  instances: sentences.instances.map((one, i) => ({
    ...one,
    inputs: [{ text: 'x', span: { context: 0, start: 2, end: 3 } }],
    contexts: [one.inputs[0]?.text ?? ''],
    label: i % 2,
  })),
}

const collection = (...dataSets: readonly ProbeDataSet[]): ProbeCollection => ({
  name: 'made',
  async *dataSets() {
    yield* dataSets
  },
})
const optionsFor = (folder: string, more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  layers: [0, 1],
  settings: { profile: 'corrected', probe: 'linear', mdl: false, portion: 1 },
  seeds: [0, 1],
  outputFolder: path(folder),
  openUntrained: () => openUntrained(path('one'), { store: openStore(path('untrained-vectors')) }),
  threads: 1,
  ...more,
})

/** Path → content without what a clock says. */
function filesIn(folder: string): Map<string, string> {
  const timed = new Set(['seconds', 'evaluation_time', 'date'])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !name.endsWith('.jsonl'),
  )
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return [
        name,
        name.endsWith('.json')
          ? JSON.stringify(JSON.parse(text), (key, value: unknown) => (timed.has(key) ? undefined : value))
          : text,
      ]
    }),
  )
}

async function probe(
  folder: string,
  data: ProbeCollection,
  { name = 'one', ...more }: Partial<ProbeOptions> & { name?: string } = {},
): Promise<Probed> {
  const model = await opened(name)
  try {
    return await runProbe(model, data, optionsFor(folder, more))
  } finally {
    await model.close()
  }
}

describe('runProbe', () => {
  test('refuses random weights that nobody opens, before it writes anything', async () => {
    const refused = probe('unopened', collection(sentences), { controls: ['random-weights'], openUntrained: undefined })
    await expect(refused).rejects.toMatchObject({ code: 'usage.value', hint: expect.stringContaining('openUntrained') })
    expect(existsSync(path('unopened'))).toBe(false)
  })

  test('gives a score a layer and seed, the selectivity of each control, and its files', async () => {
    const probed = await probe('controls', collection(sentences), {
      controls: ['permutation', 'randomization', 'random-weights'],
    })
    expect([probed.trained, probed.reused]).toEqual([16, 0])
    const [h0, h1] = summariesOf(probed.dataSets[0]?.units ?? [])
    expect([h0?.layer, h1?.layer]).toEqual([0, 1])
    const { score, selectivity } = h1?.controls.randomization ?? {}
    expect(selectivity).toBeCloseTo((h1?.score ?? 0) - (score ?? 0), 12)
    // embeddings stay as they are where weights are drawn
    expect(h0?.controls['random-weights']?.selectivity).toBe(0)
    expect(h1?.controls['random-weights']?.score).not.toBe(h1?.score)
    const names = [...filesIn(path('controls')).keys()]
    expect(names.filter((name) => name.endsWith('first-word.json'))).toHaveLength(2)
    expect(names).toEqual(expect.arrayContaining(['probes_made.csv', 'probes_made.one.svg', 'results_made.csv']))
  })

  test('the table of Holmes has its columns, and the last layer', async () => {
    await probe('holmes', collection(sentences), { controls: ['random-weights'] })
    const [head, ...rows] = readFileSync(path('holmes/results_made.csv'), 'utf8').trim().split('\r\n')
    expect(head).toBe(',probing_dataset,model_name,encoding,control_task_type,sample_size,seed,num_hidden_layers,score')
    expect(rows.map((row) => row.split(',').slice(0, 8).join(','))).toEqual([
      '0,first-word,one,full,NONE,120,0,0',
      '1,first-word,one,full,NONE,120,1,0',
      '2,first-word,one,full,RANDOM_WEIGHTS,120,0,0',
      '3,first-word,one,full,RANDOM_WEIGHTS,120,1,0',
    ])
  })

  test('tables keep the rows of other models, and replace those of the same', async () => {
    await probe('two', collection(sentences))
    const one = ['results', 'probes'].map((name) =>
      readFileSync(path(`two/${name}_made.csv`), 'utf8')
        .trimEnd()
        .split('\r\n'),
    )
    await probe('two', collection(sentences), { name: 'other', seeds: [0] })
    await probe('two', collection(sentences))
    const both = ['results', 'probes'].map((name) =>
      readFileSync(path(`two/${name}_made.csv`), 'utf8')
        .trimEnd()
        .split('\r\n'),
    )
    const unnumbered = (rows: readonly string[] = []) => rows.map((row) => row.replace(/^\d+,/, ''))
    expect(unnumbered(both[0]).filter((row) => !row.includes(',other,'))).toEqual(unnumbered(one[0]))
    expect(both[0]?.map((row) => row.split(',')[0])).toEqual(['', '0', '1', '2'])
    expect(both[1]?.filter((row) => !row.includes(',other,'))).toEqual(one[1])
    expect(both.map((rows) => rows.filter((row) => row.includes(',other,')).length)).toEqual([1, 2])
  })

  test('what is in the journal is not trained again, whatever else is asked for', async () => {
    await probe('again', collection(sentences), { layers: [1], seeds: [1] })
    const more = await probe('again', collection(sentences, tokens))
    expect([more.trained, more.reused]).toEqual([7, 1])
    const same = await probe('again', collection(sentences, tokens))
    expect([same.trained, same.reused]).toEqual([0, 8])
  })

  test('after a journal that was cut short the files are those of a run that was not', async () => {
    await probe('whole', collection(sentences, tokens))
    const journal = readFileSync(path('whole/probes.journal.jsonl'), 'utf8')
    const [first = '', ...lines] = journal.split('\n').slice(0, -1)
    for (const kept of [0, 1, 5, 8]) {
      const folder = `cut-${kept}`
      await probe(folder, collection(sentences), { layers: [0], seeds: [0] })
      writeFileSync(
        path(`${folder}/probes.journal.jsonl`),
        [first, ...lines.slice(0, kept)].map((line) => `${line}\n`).join(''),
      )
      appendFileSync(path(`${folder}/probes.journal.jsonl`), lines[kept]?.slice(0, 50) ?? '')
      const probed = await probe(folder, collection(sentences, tokens))
      expect([probed.trained, probed.reused]).toEqual([8 - kept, kept])
      expect(filesIn(path(folder))).toEqual(filesIn(path('whole')))
      const keys = readFileSync(path(`${folder}/probes.journal.jsonl`), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => (JSON.parse(line) as { key: string }).key)
      expect(new Set(keys).size).toBe(8)
      expect(keys).toHaveLength(8)
    }
  })

  test.each<[string, Partial<ProbeOptions>]>([
    ['another profile', { settings: { profile: 'holmes', probe: 'linear', mdl: false, portion: 1 } }],
    ['a hidden layer', { settings: { profile: 'corrected', probe: 'mlp', mdl: false, portion: 1 } }],
    ['fewer training rows', { settings: { profile: 'corrected', probe: 'linear', mdl: false, portion: 0.5 } }],
    ['a description length', { settings: { profile: 'corrected', probe: 'linear', mdl: true, portion: 1 } }],
  ])('%s is another probe', async (name, more) => {
    await probe(`other ${name}`, collection(sentences), { layers: [1], seeds: [0] })
    const { trained } = await probe(`other ${name}`, collection(sentences), { layers: [1], seeds: [0], ...more })
    expect(trained).toBe(1)
  })

  test('other labels or another model are other probes', async () => {
    const asked = { layers: [1], seeds: [0] }
    await probe('inputs', collection(sentences), asked)
    const flipped = {
      ...sentences,
      instances: sentences.instances.map((one, i) => (i === 3 ? { ...one, label: 1 - one.label } : one)),
    }
    expect((await probe('inputs', collection(flipped), asked)).trained).toBe(1)
    const untrained = await openUntrained(path('one'))
    const { trained } = await runProbe(untrained, collection(sentences), optionsFor('inputs', asked)).finally(() =>
      untrained.close(),
    )
    expect(trained).toBe(1)
  })

  test('vectors of a device are other inputs, and results say where they were made', async () => {
    const asked = { layers: [1], seeds: [0] }
    await probe('device', collection(sentences), asked)
    const model = await opened('one')
    const onDevice = { ...model, settings: { ...model.settings, device: 'cuda' as const } }
    const { trained } = await runProbe(onDevice, collection(sentences), optionsFor('device', asked)).finally(() =>
      model.close(),
    )
    expect(trained).toBe(1)
    expect([...filesIn(path('device')).values()].filter((text) => text.includes('"device":"cuda"'))).not.toEqual([])
  })

  test('a data set that cannot be probed fails in its place; the others are probed', async () => {
    const noTest = {
      ...sentences,
      name: 'no-test',
      instances: sentences.instances.filter(({ split }) => split !== 'test'),
    }
    const { dataSets } = await probe('failing', collection(noTest, sentences), { layers: [1], seeds: [0] })
    expect(dataSets.map((one) => one.fault?.code)).toEqual(['task.split', undefined])
    expect([...filesIn(path('failing')).keys()].filter((name) => name.includes('failed'))).toHaveLength(1)
  })

  test('rows of the test are seen where a training row has their text, for Holmes where it has their first letter', async () => {
    const asked = { layers: [1], seeds: [0] }
    const of = ({ dataSets }: Probed): boolean[] => dataSets.map(({ units }) => units[0]?.outcome.seen !== undefined)
    const long = {
      ...sentences,
      name: 'long',
      instances: sentences.instances.map((one) =>
        one.split === 'test' ? { ...one, inputs: [{ text: `${one.inputs[0]?.text} a b a b a b` }] } : one,
      ),
    }
    const capital = {
      ...sentences,
      name: 'capital',
      instances: sentences.instances.map((one) =>
        one.split === 'test' ? { ...one, inputs: [{ text: one.inputs[0]?.text.toUpperCase() ?? '' }] } : one,
      ),
    }
    expect(of(await probe('seen', collection(sentences, long, capital), asked))).toEqual([true, false, true])
    const settings = { profile: 'holmes', probe: 'linear', mdl: false, portion: 1 } as const
    expect(of(await probe('seen', collection(sentences, long), { ...asked, settings }))).toEqual([true, true])
  })

  test('nothing that is asked for is an error', async () => {
    await expect(probe('none', collection(sentences), { taskTypes: ['SENTENCE_SPANS'] })).rejects.toMatchObject({
      code: 'task.unknown',
    })
  })

  test('a second process is refused', async () => {
    const model = await opened('one')
    const slow = runProbe(model, collection(sentences), optionsFor('locked'))
    const attempt = runProbe(model, collection(sentences), optionsFor('locked'))
    const codes = (await Promise.allSettled([slow, attempt])).map((one) =>
      one.status === 'rejected' ? (one.reason as { code?: string }).code : 'done',
    )
    await model.close()
    expect(codes.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['done', 'usage.conflict'])
  })

  test('a plan says what there is and what is left', async () => {
    await probe('planned', collection(sentences), { layers: [1], seeds: [1] })
    const model = await opened('one')
    const plan = await planProbe(
      model,
      collection(sentences, tokens),
      optionsFor('planned', { controls: ['randomization'] }),
    ).finally(() => model.close())
    expect(plan.dataSets.map(({ name, instances, probes, trained }) => [name, instances, probes, trained])).toEqual([
      ['first-word', 120, 8, 1],
      ['word', 120, 8, 0],
    ])
  })
})

describe('vectors', () => {
  test('of a span are the mean of its tokens’ states; what the model does not see is a gap', async () => {
    const model = await openModel(await writeSmallModel(path('short')), { maxLength: 4 })
    const spans = await openSpanVectors(model, undefined)
    const text = 'a b nothing a a'
    const asked = [
      { text, start: 0, end: 3 },
      { text, start: 2, end: 3 },
      { text, start: 14, end: 15 },
    ]
    expect(await spans.ensure(asked)).toEqual({ encoded: 1 })
    expect(await spans.ensure(asked)).toEqual({ encoded: 0 })
    const batch = await tokensOf(model).batch([text], { prompt: null, side: 'right' })
    const [output] = await tokensOf(model).run({ batch, states: [1] })
    const state = (token: number): Float32Array => output?.data.slice(4 * token, 4 * token + 4) ?? new Float32Array()
    const { data } = await spans.read(1, asked)
    // tokens `a` and `b` by their places, whatever stands before them
    const first = batch.inputIds.indexOf(4)
    expect(Array.from(data.slice(0, 4))).toEqual(
      Array.from(state(first), (value, i) => Math.fround((value + (state(first + 1)[i] ?? 0)) / 2)),
    )
    expect(data.slice(4, 8)).toEqual(state(first + 1))
    expect(data.slice(8)).toEqual(Float32Array.of(NaN, NaN, NaN, NaN))
    await spans.close()
    await model.close()
  })

  test('of a span hold no token beside it', async () => {
    const model = await opened('beside')
    const spans = await openSpanVectors(model, undefined)
    const asked = [{ text: 'a.b', start: 2, end: 3 }]
    await spans.ensure(asked)
    const batch = await tokensOf(model).batch(['a.b'], { prompt: null, side: 'right' })
    const [output] = await tokensOf(model).run({ batch, states: [1] })
    const at = 4 * batch.inputIds.indexOf(5)
    expect((await spans.read(1, asked)).data).toEqual(output?.data.slice(at, at + 4))
    await spans.close()
    await model.close()
  })

  test('of a span are found behind a prompt', async () => {
    const vectorOf = async (prompt: string | undefined, text: string, start: number): Promise<Float32Array> => {
      const model = await openModel(await writeSmallModel(path('prompted')), { prompt })
      const spans = await openSpanVectors(model, undefined)
      const asked = [{ text, start, end: start + 1 }]
      await spans.ensure(asked)
      const { data } = await spans.read(1, asked)
      await spans.close()
      await model.close()
      return data
    }
    expect(await vectorOf('a b ', 'b a', 2)).toEqual(await vectorOf(undefined, 'a b b a', 6))
  })

  test('of whole texts are means over tokens, whatever the folder pools by; pairs stand side by side', async () => {
    const model = await opened('pairs')
    const vectors = openProbeVectors(model, { store: undefined, profile: 'corrected' })
    const pair = {
      ...sentences,
      taskType: 'SENTENCE_PAIR_BI' as const,
      instances: sentences.instances.map((one) => ({ ...one, inputs: [...one.inputs, { text: 'b a' }] })),
    }
    await vectors.ensure(pair)
    const { width, data } = await vectors.read(1, pair)
    const embedder = await statesOf(model).embedder({ kind: 'state', h: 1, pooling: 'mean' })
    const alone = await embedder.embed([pair.instances[5]?.inputs[0]?.text ?? '', 'b a'])
    await vectors.close()
    await model.close()
    expect(width).toBe(8)
    // a text's vector may depend on its batch in the last bits
    expect(Math.max(...Array.from(alone.data, (value, i) => Math.abs(value - (data[5 * 8 + i] ?? 0))))).toBeLessThan(
      1e-6,
    )
  })

  test('Holmes keeps sentences in half precision, and words not', async () => {
    const model = await opened('half')
    const vectors = openProbeVectors(model, { store: undefined, profile: 'holmes' })
    const isHalf = async (one: ProbeDataSet): Promise<boolean> => {
      await vectors.ensure(one)
      const { data } = await vectors.read(1, one)
      // eleven bits of significand, as long as the exponent is a normal one
      return data.every(
        (value) =>
          Math.abs(value) < 2 ** -14 || Number.isInteger(value / 2 ** (Math.floor(Math.log2(Math.abs(value))) - 10)),
      )
    }
    const found = [await isHalf(sentences), await isHalf(tokens)]
    await vectors.close()
    await model.close()
    expect(found).toEqual([true, false])
  })
})

test('a portion is a seeded sample of the training rows, in their order', () => {
  const part = portionOf(sentences, 1 / 8)
  const ids = (one: ProbeDataSet, split: string): string[] =>
    one.instances.filter((instance) => instance.split === split).map(({ id }) => id)
  expect(ids(part, 'train')).toHaveLength(10)
  expect(ids(part, 'train')).toEqual(ids(part, 'train').toSorted((a, b) => Number(a) - Number(b)))
  expect(ids(part, 'dev')).toEqual(ids(sentences, 'dev'))
  expect(portionOf(sentences, 1 / 8)).toEqual(part)
})

test('a folder of Holmes is probed from its files', async () => {
  const rows = sentences.instances.map(
    ({ id, inputs, label, split }) => `${id},"('${inputs[0]?.text}',)",,${label},${split}`,
  )
  file('samples.csv', `id,inputs,context,label,set-0\n${rows.join('\n')}\n`)
  file(
    'config-none.yaml',
    'probe_name: first-word\nnum_inputs: 1\nnum_labels: 2\nprobe_task_type: SENTENCE\ncontrol_task_type: NONE\n',
  )
  const fromFiles = await probe('from files', await openProbeData(path('.')), { layers: [1] })
  const made = await probe('made', collection(sentences), { layers: [1] })
  expect(fromFiles.dataSets[0]?.units).toEqual(made.dataSets[0]?.units)
})
