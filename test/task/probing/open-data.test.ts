import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openProbeData, type ProbeDataSet } from '#task/probing'
import { createTableWriter } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'

const { path } = scratchFolder()

function folder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(path(name), file, '..'), { recursive: true })
    writeFileSync(join(path(name), file), text)
  }
  return path(name)
}

async function all(data: string): Promise<ProbeDataSet[]> {
  const found: ProbeDataSet[] = []
  for await (const one of (await openProbeData(data)).dataSets()) found.push(one)
  return found
}

const nothing: Pick<ProbeDataSet, 'instances' | 'labels'> = { instances: [], labels: [] }
const splits = ({ instances } = nothing): Record<string, number> =>
  Object.fromEntries(
    ['train', 'dev', 'test'].map((split) => [split, instances.filter((one) => one.split === split).length]),
  )

describe('folders of Holmes', () => {
  const config = (type: string, labels = 2): string =>
    `probe_name: flash-holmes-mine\nnum_probe_folds: 1\nnum_inputs: 1\nnum_labels: ${labels}\nprobe_task_type: ${type}\ncontrol_task_type: NONE\n`
  const sentences = `id,inputs,context,topic,org_label,label,set-0\n10,"(""It's"",)",,,a,1,train\n2,"('two, too',)",,,b,0,dev\n1,"('one',)",,,b,0,test\n`

  test('sentences come by id, under the name without its collection', async () => {
    const [one] = await all(
      folder('sentences', {
        'mine/samples.csv': sentences,
        'mine/config-none.yaml': config('SENTENCE'),
        'other/readme.txt': '',
      }),
    )
    expect(one).toMatchObject({ name: 'mine', taskType: 'SENTENCE', classes: 2 })
    expect(one?.instances.map(({ inputs, label, split }) => [inputs[0]?.text, label, split])).toEqual([
      ['one', 0, 'test'],
      ['two, too', 0, 'dev'],
      ["It's", 1, 'train'],
    ])
  })

  const tokens = (span: string): string =>
    `id,inputs,context,label,set-0\n0,"[('cat', ${span})]","['a cat']",0.25,train\n`

  test('tokens have their contexts; one label is a number', async () => {
    const [one] = await all(
      folder('tokens', { 'samples.csv': tokens('0, 2, 5'), 'config-perm.yaml': config('SENTENCE_TOKENS', 1) }),
    )
    expect(one?.classes).toBe(1)
    expect(one?.instances[0]).toMatchObject({
      contexts: ['a cat'],
      label: 0.25,
      inputs: [{ text: 'cat', span: { context: 0, start: 2, end: 5 } }],
    })
  })

  test.each([
    ['a span behind its context', tokens('0, 2, 6'), config('SENTENCE_TOKENS', 1), 'task.value'],
    ['a context that is not there', tokens('1, 2, 5'), config('SENTENCE_TOKENS', 1), 'task.value'],
    ['tokens where sentences are', tokens('0, 2, 5'), config('SENTENCE', 1), 'table.read'],
    ['a label outside the classes', sentences.replace(',1,train', ',2,train'), config('SENTENCE'), 'task.label'],
    ['another split', sentences.replace('dev', 'valid'), config('SENTENCE'), 'task.split'],
    ['an unknown type', sentences, config('SENTENCES'), 'config.value'],
    ['what is no literal', sentences.replace("('one',)", "open('x')"), config('SENTENCE'), 'table.read'],
  ])('%s is refused', async (name, samples, yaml, code) => {
    await expect(
      all(folder(`refused ${name}`, { 'samples.csv': samples, 'config-none.yaml': yaml })),
    ).rejects.toMatchObject({ code })
  })
})

describe('minimal pairs', () => {
  const pair = (i: number): string =>
    JSON.stringify({ sentence_good: `good ${i}`, sentence_bad: `bad ${i}`, linguistics_term: 'island_effects' })

  test('both sentences of a pair lie in one split, in shares of 7, 1 and 2', async () => {
    const [one] = await all(
      `blimp:${folder('blimp', { 'wh_island.jsonl': Array.from({ length: 50 }, (_, i) => pair(i)).join('\n') })}`,
    )
    expect(one).toMatchObject({ name: 'blimp-wh_island', subfield: 'syntax', phenomenon: 'island effects', classes: 2 })
    expect(splits(one)).toEqual({ train: 70, dev: 10, test: 20 })
    const splitsOf = (pair: string): string[] =>
      (one?.instances ?? []).filter(({ inputs }) => inputs[0]?.text.endsWith(` ${pair}`)).map(({ split }) => split)
    expect(Array.from({ length: 50 }, (_, i) => new Set(splitsOf(String(i))).size)).toEqual(
      Array.from({ length: 50 }, () => 1),
    )
    expect(one?.instances.every(({ inputs, label }) => inputs[0]?.text.startsWith('good') === (label === 1))).toBe(true)
  })

  test('BLiMP comes from the hub, a folder of parquet a paradigm, blobs without an ending', async () => {
    const cached = 'hub/datasets--nyu-mll--blimp'
    const commit = 'c'.repeat(40)
    const blob = join(path('.'), 'blob')
    const writer = await createTableWriter(
      `${blob}.parquet`,
      ['sentence_good', 'sentence_bad', 'linguistics_term'].map((name) => ({ name, type: 'text' }) as const),
    )
    await writer.append(Array.from({ length: 10 }, (_, i) => JSON.parse(pair(i)) as Record<string, string>))
    await writer.finish()
    folder(cached, { 'refs/main': commit, [`snapshots/${commit}/README.md`]: '' })
    for (const paradigm of ['wh_island', 'adjunct_island']) {
      mkdirSync(join(path(cached), 'snapshots', commit, paradigm))
      mkdirSync(join(path(cached), 'blobs'), { recursive: true })
      copyFileSync(`${blob}.parquet`, join(path(cached), 'blobs', paradigm))
      symlinkSync(
        join('..', '..', '..', 'blobs', paradigm),
        join(path(cached), 'snapshots', commit, paradigm, 'train-00000-of-00001.parquet'),
      )
    }
    vi.stubEnv('HF_HUB_CACHE', path('hub'))
    vi.stubEnv('HF_HUB_OFFLINE', '1')
    const found = await all('blimp').finally(() => vi.unstubAllEnvs())
    expect(found.map(({ name, instances }) => [name, instances.length])).toEqual([
      ['blimp-adjunct_island', 20],
      ['blimp-wh_island', 20],
    ])
  })

  test('Zorro’s lines are by turns wrong and right', async () => {
    const [one] = await all(
      `zorro:${folder('zorro', { 'quantifiers-superlative.txt': 'bad a\ngood a\nbad b\ngood b\n' })}`,
    )
    expect(one).toMatchObject({
      name: 'zorro-quantifiers-superlative',
      subfield: 'semantics',
      phenomenon: 'quantifiers',
    })
    expect(one?.instances.map(({ inputs, label }) => [inputs[0]?.text, label])).toEqual([
      ['bad a', 0],
      ['good a', 1],
      ['bad b', 0],
      ['good b', 1],
    ])
  })

  test.skipIf(shared === undefined)('all of BLiMP and Zorro that is shared has a place in the taxonomy', async () => {
    const found = [
      ...(await all(`blimp:${sharedPath('data', 'blimp')}`)),
      ...(await all(`zorro:${sharedPath('data', 'zorro')}`)),
    ]
    expect(found.filter(({ name }) => name.startsWith('blimp'))).toHaveLength(67)
    expect(found.filter(({ name }) => name.startsWith('zorro'))).toHaveLength(23)
    expect(
      found.filter(({ subfield }) => subfield === undefined).map(({ name, phenomenon }) => [name, phenomenon]),
    ).toEqual([])
  })
})

describe('a treebank', () => {
  const words = [
    ['1-2', "I'm", '_', '_', '_'],
    ['1', 'I', 'PRON', '3', 'nsubj:pass'],
    ['2', "'m", 'AUX', '3', 'aux'],
    ['3', 'seen', 'VERB', '0', 'root'],
    ['4', '😀', 'SYM', '3', 'discourse'],
    ['5', '.', 'PUNCT', '3', 'punct'],
    ['5.1', 'gone', 'VERB', '_', '_'],
  ]
  const block = `# sent_id = s1\n# text = I'm seen 😀.\n${words.map(([id, form, upos, head, relation]) => [id, form, '_', upos, `x${upos}`, '_', head, relation, '_', '_'].join('\t')).join('\n')}\n\n`
  const files = { 'en-ud-train.conllu': block, 'en-ud-dev.conllu': block, 'en-ud-test.conllu': block }

  test('gives parts of speech, relations, depth and length', async () => {
    const found = await all(`ud:${folder('ud', files)}`)
    expect(found.map(({ name, taskType }) => [name, taskType])).toEqual([
      ['ud-upos', 'SENTENCE_TOKENS'],
      ['ud-xpos', 'SENTENCE_TOKENS'],
      ['ud-dep', 'SENTENCE_TOKENS'],
      ['ud-tree_depth', 'SENTENCE'],
      ['ud-sentence_length', 'SENTENCE'],
    ])
    const train = (one = nothing): unknown[] =>
      one.instances
        .filter(({ split }) => split === 'train')
        .map(({ label, inputs }) => [...inputs.map(({ text }) => text), one.labels[label]])
    expect(train(found[0])).toEqual([
      ['I', 'PRON'],
      ["'m", 'AUX'],
      ['seen', 'VERB'],
      ['😀', 'SYM'],
      ['.', 'PUNCT'],
    ])
    expect(train(found[2])).toEqual([
      ['I', 'seen', 'nsubj'],
      ["'m", 'seen', 'aux'],
      ['😀', 'seen', 'discourse'],
      ['.', 'seen', 'punct'],
    ])
    expect(train(found[3])).toEqual([["I'm seen 😀.", '2']])
    expect(train(found[4])).toEqual([["I'm seen 😀.", '0']])
  })

  test('spans hold their words', async () => {
    const [upos] = await all(`ud:${path('ud')}`)
    const written = upos?.instances.map(({ contexts, inputs }) =>
      Array.from(contexts[0] ?? '')
        .slice(inputs[0]?.span?.start, inputs[0]?.span?.end)
        .join(''),
    )
    expect(written).toEqual(upos?.instances.map(({ inputs }) => inputs[0]?.text))
  })

  test('trees with circles have no depth', async () => {
    const circle = block.replace('\t0\troot', '\t1\troot')
    const found = await all(`ud:${folder('circle', { ...files, 'en-ud-train.conllu': `${block}${circle}` })}`)
    expect(splits(found[3])).toEqual({ train: 1, dev: 1, test: 1 })
  })

  test('a split that is missing is named', async () => {
    await expect(all(`ud:${folder('half', { 'en-ud-train.conllu': block })}`)).rejects.toMatchObject({
      code: 'file.missing',
    })
  })

  test.skipIf(shared === undefined)('English EWT is capped, whole sentences at a time', async () => {
    const found = await all(`ud:${sharedPath('data', 'ud_english_ewt')}`)
    const upos = splits(found[0])
    expect(upos['train']).toBeLessThanOrEqual(28_000)
    expect(upos['train']).toBeGreaterThan(27_800)
    expect(found.map(({ classes }) => classes)).toEqual([17, 48, 34, 7, 6])
  })
})

describe('SentEval', () => {
  test('reads split, label and sentence', async () => {
    const [one] = await all(
      `senteval:${folder('senteval', { 'past_present.txt': 'tr\tPAST\tHe went .\nva\tPRES\tHe goes .\nte\tPAST\tShe left .\n' })}`,
    )
    expect(one).toMatchObject({
      name: 'senteval-past_present',
      labels: ['PAST', 'PRES'],
      subfield: 'semantics',
      phenomenon: 'tense',
    })
    expect(one?.instances.map(({ inputs, label, split }) => [inputs[0]?.text, label, split])).toEqual([
      ['He went .', 0, 'train'],
      ['He goes .', 1, 'dev'],
      ['She left .', 0, 'test'],
    ])
  })

  test('a line that is none is refused', async () => {
    await expect(all(`senteval:${folder('broken', { 'x.txt': 'tr\tPAST\n' })}`)).rejects.toMatchObject({
      code: 'table.read',
    })
  })
})

test.each(['blimp:', 'zorro', 'ud', 'senteval:'])('%s without a folder says where to get it', async (data) => {
  await expect(openProbeData(data)).rejects.toMatchObject({ code: 'usage.value' })
})
