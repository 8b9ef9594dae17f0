import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkPlugin, usePlugins, type Verdict } from '#experiment/plugins'
import { mergeMethodNamed } from '#model/merge-methods'
import { scratchFolder } from '../../scratch.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'plugins')
const defective = 'with-a-defect.ts'
const { file } = scratchFolder()

async function verdicts(path: string): Promise<Verdict[]> {
  const found: Verdict[] = []
  for await (const verdict of checkPlugin(path)) found.push(verdict)
  return found
}

const brokenLaws = async (path: string): Promise<string[]> =>
  (await verdicts(path)).flatMap(({ law, broken }) => (broken === undefined ? [] : [law]))

describe('the examples', () => {
  const names = readdirSync(folder)

  test.each(names)('%s is short', (name) => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('//')).length).toBeLessThanOrEqual(26)
  })

  test.each(names.filter((name) => name !== defective))('%s holds every law', async (name) => {
    const found = await verdicts(join(folder, name))
    expect(found.length).toBeGreaterThan(3)
    expect(found.filter(({ broken }) => broken !== undefined)).toEqual([])
  })

  test('the one with a defect is refused, law by law, with the place', async () => {
    const found = await verdicts(join(folder, defective))
    expect(found.flatMap(({ law, broken }) => (broken === undefined ? [] : [law]))).toEqual([
      'gives the same bits when it is asked twice',
      'gives the same bits in blocks of any size',
      'gives float32 tensors what it gives float64 ones, rounded once',
      'changes none of its inputs',
    ])
    expect(found.find(({ law }) => law.startsWith('changes'))?.broken).toBe(
      '2 inputs of 1 × 1: it wrote to element 0 of input 1',
    )
  })
})

/** A merge method with this body of `output`, two inputs and an optional base. */
const merging = (body: string, more = ''): string =>
  file(
    'merging.ts',
    `import { defineMergeMethod } from 'strata-lm/plugin'
let count = 0
export const mine = defineMergeMethod({
  name: 'mine', base: 'optional', inputs: [2, 2], parameters: {}, streaming: 'elementwise',
  kernel: ({ inputs: models }) => ({ grain: 1, passes: [], output({ base, inputs, length, offset }, out) { ${body} } }),
  ${more}
})
`,
  )
const mean = 'out[i] = base[i] + (inputs[0][i] - base[i]) / 2 + (inputs[1][i] - base[i]) / 2'

describe('a merge method', () => {
  test('that is one holds every law', async () => {
    expect(await brokenLaws(merging(`for (let i = 0; i < length; i++) ${mean}`))).toEqual([])
  })

  test.each([
    ['leaves an element out', `for (let i = 1; i < length; i++) ${mean}`, 'writes every element of the output'],
    [
      'divides by zero',
      `for (let i = 0; i < length; i++) { ${mean}; if (i === 3) out[i] = 1 / 0 }`,
      'gives finite numbers for finite numbers, in every profile',
    ],
    [
      'draws',
      `for (let i = 0; i < length; i++) { ${mean}; out[i] += 1e-9 * ++count }`,
      'gives the same bits when it is asked twice',
    ],
    [
      'counts within its block',
      `for (let i = 0; i < length; i++) { ${mean}; out[i] += i * (inputs[0][i] - base[i]) }`,
      'gives the same bits in blocks of any size',
    ],
    [
      'rounds twice',
      `for (let i = 0; i < length; i++) { ${mean.replace('+ (inputs[1]', '; out[i] += (inputs[1]')} }`,
      'gives float32 tensors what it gives float64 ones, rounded once',
    ],
    ['sorts its input', `for (let i = 0; i < length; i++) ${mean}; inputs[0].sort()`, 'changes none of its inputs'],
    [
      'hides a NaN',
      `for (let i = 0; i < length; i++) { ${mean}; if (Number.isNaN(out[i])) out[i] = 0 }`,
      'lets a NaN show',
    ],
    [
      'leaves the base alone',
      `for (let i = 0; i < length; i++) { ${mean}; out[i] += 1e-3 }`,
      'gives the base where every input is the base',
    ],
  ])('that %s is refused', async (_, body, law) => {
    expect(await brokenLaws(merging(body))).toContain(law)
  })

  test('that throws is named, with the tensor and the reason', async () => {
    const path = merging('throw new Error(`out of ideas`)')
    const [first] = await verdicts(path)
    expect(first?.broken).toBe(`${path} › mine › layer.weight: out of ideas`)
  })
})

/** A definition of another kind, made of `fields`. */
const defining = (define: string, fields: string): string =>
  file(
    'defining.ts',
    `import { ${define} } from 'strata-lm/plugin'\nlet count = 0\nexport const mine = ${define}({ name: 'mine', ${fields} })\n`,
  )

const metric = (body: string): string => defining('defineMetric', `kind: 'pooled', rows: 'raw', of(x) { ${body} }`)
const similarity = (body: string, more = ''): string =>
  defining('defineSimilarity', `range: [0, 1], symmetric: true, widths: 'any', pair(x, y) { ${body} }, ${more}`)
const ratio =
  'const [a, b] = [x, y].map(({ data }) => data.reduce((s, v) => s + v * v, 1e-3)); const r = Math.min(a, b) / Math.max(a, b)'
const aggregation = (body: string, uses = "'quality'"): string =>
  defining('defineAggregationMethod', `uses: [${uses}], combine({ quality, similarity }, { lambda }) { ${body} }`)

test.each([
  ['metric', metric('return x.rows')],
  ['similarity', similarity(`${ratio}; return r`)],
  ['aggregation method', aggregation("return { kind: 'sum', weights: quality.slice(), notes: {} }")],
])('a %s that is one holds every law', async (_, path) => {
  expect(await brokenLaws(path)).toEqual([])
})

describe('a metric', () => {
  test.each([
    ['gives NaN', 'return 0 / 0', 'gives numbers'],
    ['gives a list', 'return [1, 2]', 'gives numbers'],
    ['gives nothing', 'return {}', 'gives numbers'],
    ['counts its calls', 'return ++count', 'gives the same numbers when it is asked twice'],
    ['sorts', 'x.data.sort(); return x.data[0]', 'changes none of its vectors'],
    [
      'needs three texts',
      'return x.rows < 3 ? 1 / 0 : 1',
      'gives a number, or says that there is none, for one text, two, and texts that are all the same',
    ],
  ])('that %s is refused', async (_, body, law) => {
    expect(await brokenLaws(metric(body))).toContain(law)
  })
})

describe('a similarity', () => {
  test.each([
    ['is a distance', `${ratio}; return 1 - r`, 'is the upper end of its range for a layer and itself'],
    ['leaves its range', `${ratio}; return x === y ? 1 : r - 1`, 'is within its range'],
    ['looks at one side', `return x === y ? 1 : x.data[0] ** 2`, 'is the same both ways'],
    [
      'looks at the first text',
      `return x === y ? 1 : Math.abs(Math.tanh(x.data[0] * y.data[0]))`,
      'stays when the texts are reordered together',
    ],
    ['draws', `${ratio}; return r - 1e-9 * ++count`, 'gives the same numbers when it is asked twice'],
    ['centres in place', `${ratio}; x.data[0] = 0; return r`, 'changes none of its layers'],
    [
      'divides by zero for one text',
      `${ratio}; return r / (x.rows - 1 ? 1 : 0)`,
      'gives a number for a constant layer, and for one text, two and four',
    ],
  ])('that %s is refused', async (_, body, law) => {
    expect(await brokenLaws(similarity(body))).toContain(law)
  })

  test('that depends on what else is compared is refused', async () => {
    const path = similarity(`${ratio}; count = (count + 1) % 13; return r - count / 100`)
    expect(await brokenLaws(path)).toContain('gives two lists of layers the block of their joined matrix')
  })
})

describe('a way to combine layers', () => {
  const sum = (weights: string): string => `return { kind: 'sum', weights: ${weights}, notes: {} }`
  test.each([
    ['gives a list', sum('[...quality]'), 'gives finite weights, not all 0, or blocks of states that there are'],
    ['gives zeros', sum('quality.map(() => 0)'), 'gives finite weights, not all 0, or blocks of states that there are'],
    [
      'names a state beyond',
      "return { kind: 'projection', blocks: [{ layers: [99], factor: 1 }], notes: {} }",
      'gives finite weights, not all 0, or blocks of states that there are',
    ],
    ['draws', sum('quality.map((q) => q + ++count)'), 'gives the same answer when it is asked twice'],
    ['sorts', `quality.sort(); ${sum('quality.slice()')}`, 'changes nothing that it is given'],
    ['uses λ', sum('quality.map((q) => q + lambda)'), 'is not moved by lambda, which it does not list'],
    [
      'uses the similarity',
      sum('quality.map((q) => q + similarity[1])'),
      'is not moved by similarity, which it does not list',
    ],
  ])('that %s is refused', async (_, body, law) => {
    expect(await brokenLaws(aggregation(body))).toContain(law)
  })

  test('that uses the quality without saying so is refused', async () => {
    expect(await brokenLaws(aggregation(sum('quality.slice()'), ''))).toContain(
      'is not moved by quality, which it does not list',
    )
  })
})

describe('a task protocol', () => {
  const protocol = (body: string): string =>
    defining(
      'defineTaskProtocol',
      `rows: 'AbsTaskPairClassification', mainScore: 'hits', async score(part, { embed }) { const v = await embed(part.sentence1); ${body} }`,
    )

  test('that is one holds every law', async () => {
    expect(
      await brokenLaws(protocol('return { metrics: { hits: 1 / v.rows }, columns: { label: part.labels } }')),
    ).toEqual([])
  })

  test.each([
    ['gives no main score', 'return { metrics: { other: 1 } }', 'gives its main score, and finite numbers'],
    ['gives NaN', 'return { metrics: { hits: 0 / 0 } }', 'gives its main score, and finite numbers'],
    ['draws', 'return { metrics: { hits: ++count } }', 'gives the same scores when it is asked twice'],
    [
      'looks at the first',
      'return { metrics: { hits: v.data[0] } }',
      'gives the same scores when the pairs are in another order',
    ],
    ['sorts its rows', 'part.labels.sort(); return { metrics: { hits: 1 } }', 'changes none of its rows'],
    [
      'gives a short column',
      'return { metrics: { hits: 1 }, columns: { a: [1] } }',
      'gives one entry per pair in its columns',
    ],
  ])('that %s is refused', async (_, body, law) => {
    expect(await brokenLaws(protocol(body))).toContain(law)
  })
})

describe('refused before any law', () => {
  test.each([
    ['a name of Strata’s own', "name: 'ties'", 'usage.value'],
    ['a name that no recipe could write', "name: 'My Method'", 'plugin.invalid'],
    ['a base that is none', "base: 'perhaps'", 'plugin.invalid'],
    ['a number of inputs alone', 'inputs: 2', 'plugin.invalid'],
    ['no kernel', 'kernel: undefined', 'plugin.invalid'],
    ['a parameter without a scope', "parameters: { weight: { kind: 'number' } }", 'plugin.invalid'],
  ])('%s', async (_, more, code) => {
    await expect(usePlugins([merging('', more)])).rejects.toMatchObject({ code })
  })

  test.each([
    ['defineMetric', "kind: 'tokens'", 'of'],
    ['defineMetric', "kind: 'any', of: () => 1", 'kind'],
    ['defineMetric', "kind: 'pooled', of: () => 1", 'rows'],
    ['defineSimilarity', "range: [1, 0], symmetric: true, widths: 'any', pair: () => 1", 'range'],
    ['defineSimilarity', "range: [0, 1], widths: 'any', pair: () => 1", 'symmetric'],
    ['defineSimilarity', "title: '../out', range: [0, 1], symmetric: true, widths: 'any', pair: () => 1", 'title'],
    ['defineAggregationMethod', "uses: ['all'], combine: () => 1", 'uses'],
    ['defineAggregationMethod', 'uses: []', 'combine'],
  ])('%s({ %s }): %s', async (define, fields, what) => {
    await expect(usePlugins([defining(define, fields)])).rejects.toMatchObject({
      code: 'plugin.invalid',
      parts: { what: expect.stringContaining(`: ${what}`) as string },
    })
  })

  test('a file without a definition', async () => {
    await expect(usePlugins([file('none.ts', 'export const mine = { name: `mine` }\n')])).rejects.toMatchObject({
      code: 'plugin.invalid',
    })
  })

  test('two files that define one name', async () => {
    const text = readFileSync(join(folder, 'merge-method.ts'), 'utf8')
    await expect(usePlugins([file('a.ts', text), file('b.ts', `${text}\n`)])).rejects.toMatchObject({
      code: 'usage.value',
    })
  })
})

test('what a plug-in defines is found by its name, and suggested; without the plug-in it is gone', async () => {
  await usePlugins([join(folder, 'merge-method.ts')])
  expect(mergeMethodNamed('coordinate_median').name).toBe('coordinate_median')
  expect(() => mergeMethodNamed('coordinate_mean')).toThrow(
    expect.objectContaining({ hint: 'did you mean coordinate_median?' }) as Error,
  )
  await usePlugins([])
  expect(() => mergeMethodNamed('coordinate_median')).toThrow('no such merge method')
})

test('a definition under two names of exports is one', async () => {
  const own = readFileSync(join(folder, 'metric.ts'), 'utf8')
  const [, name = ''] = /export const (\w+) = defineMetric/.exec(own) ?? []
  const path = file('two-names.ts', `${own}\nexport default ${name}\n`)
  expect(await usePlugins([path])).toHaveLength(1)
})
