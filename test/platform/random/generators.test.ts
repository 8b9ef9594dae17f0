import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defaultRng, pythonRandom, randomState, trainTestSplit } from '#platform/random'
import { shared, sharedPath } from '../../shared.ts'
import { goldenOf } from '../../golden-of.ts'

interface Split {
  rows: number
  classes: number[] | null
  options: { test_size: number; train_size?: number; seed: number }
  train: number[]
  test: number[]
}
type Draws = Record<string, Record<string, unknown>>
interface Golden {
  made_with: Record<string, string>
  randomState: Draws
  python: Draws
  defaultRng: Draws
  splits: Split[]
}

// NumPy 2.4.6, Python 3.11, datasets 5.0.1: oracles/generators.py
const golden = goldenOf<Golden>('platform/random', 'random')
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
const ramp = range(20).map((i) => (i + 1) / 210)

describe.each(Object.entries(golden.randomState))('numpy RandomState(%s)', (seed, want) => {
  const fresh = () => randomState(Number(seed))
  test('permutation and shuffle', () => {
    expect(Array.from(fresh().permutation(50))).toEqual(want['permutation'])
    expect(fresh().shuffle(range(33))).toEqual(want['shuffle'])
  })
  test('randint', () => {
    expect(fresh().randint(-5, 1000, 20)).toEqual(want['randint'])
    expect(fresh().randint(0, 2 ** 31 + 5, 10)).toEqual(want['randint_wide'])
  })
  test('random_sample across a refill of the state', () =>
    expect(Array.from(fresh().randomSample(700)).slice(-5)).toEqual(want['random_sample']))
  test('choice with replacement, with weights, without replacement', () => {
    expect(fresh().choice(37, 9)).toEqual(want['choice'])
    expect(fresh().choice(20, 30, { p: ramp })).toEqual(want['choice_p'])
    expect(fresh().choice(100, 12, { replace: false })).toEqual(want['choice_no_replace'])
  })
})

describe.each(Object.entries(golden.python))('python Random(%s)', (seed, want) => {
  const fresh = () => pythonRandom(Number(seed))
  test('random', () => {
    const generator = fresh()
    expect(range(5).map(() => generator.random())).toEqual(want['random'])
  })
  test('bounded draws up to 2³²', () => {
    const generator = fresh()
    expect([1, 2, 3, 1000, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 7].map((n) => generator.below(n))).toEqual(want['below'])
  })
  test('sample by pool and by set', () => {
    expect(fresh().sample(30, 10)).toEqual(want['sample_pool'])
    expect(fresh().sample(100_000, 40)).toEqual(want['sample_set'])
    expect(fresh().sample(1000, 5)).toEqual(want['sample_small'])
  })
  test('choices and shuffle', () => {
    expect(fresh().choices(17, 20)).toEqual(want['choices'])
    expect(fresh().choices(5, 20, [1, 2, 3, 4, 0.5])).toEqual(want['choices_weights'])
    expect(fresh().shuffle(range(40))).toEqual(want['shuffle'])
  })
})

describe.each(Object.entries(golden.defaultRng))('numpy default_rng(%s)', (seed, want) => {
  const fresh = () => defaultRng(Number(seed))
  test('64-bit outputs and doubles', () => {
    const generator = fresh()
    expect(range(6).map(() => String(generator.word64()))).toEqual(want['word64'])
    expect(Array.from(fresh().random(6))).toEqual(want['random'])
  })
  test('integers', () => {
    expect(fresh().integers(-3, 1000, 21)).toEqual(want['integers'])
    expect(fresh().integers(0, 2 ** 32, 5)).toEqual(want['integers_wide'])
    expect(fresh().integers(0, 3 * 2 ** 30, 12)).toEqual(want['integers_odd'])
  })
  test('permutation and shuffle', () => {
    expect(Array.from(fresh().permutation(50))).toEqual(want['permutation'])
    expect(Array.from(fresh().permutation([9, 3, 5, 7, 1, 0]))).toEqual(want['permutation_list'])
    expect(fresh().shuffle(range(33))).toEqual(want['shuffle'])
  })
  test('choice by each of its algorithms', () => {
    expect(fresh().choice(37, 9)).toEqual(want['choice'])
    expect(fresh().choice(20, 30, { p: ramp })).toEqual(want['choice_p'])
    expect(fresh().choice(1000, 30, { replace: false })).toEqual(want['choice_floyd'])
    expect(fresh().choice(10_001, 201, { replace: false })).toEqual(want['choice_tail'])
  })
  test('kinds of draws mixed: the kept half of a 64-bit output survives', () => {
    const generator = fresh()
    expect([
      generator.integers(0, 10, 3),
      Array.from(generator.random(2)),
      Array.from(generator.permutation(7)),
      generator.integers(0, 10, 2),
    ]).toEqual(want['mixed'])
  })
})

describe('train_test_split of Hugging Face datasets', () => {
  test.each(golden.splits)('$rows rows, $options', ({ rows, classes, options, train, test }) => {
    const split = trainTestSplit(rows, {
      testSize: options.test_size,
      ...(options.train_size === undefined ? {} : { trainSize: options.train_size }),
      seed: options.seed,
      ...(classes === null ? {} : { stratifyBy: classes }),
    })
    expect(Array.from(split.train)).toEqual(train)
    expect(Array.from(split.test)).toEqual(test)
  })
  test.each([
    ['more rows asked for than there are', 10, { testSize: 8, trainSize: 3, seed: 1 }],
    ['an empty part', 10, { testSize: 10, seed: 1 }],
    ['a class with one row', 6, { testSize: 2, seed: 1, stratifyBy: [0, 0, 0, 1, 1, 2] }],
    [
      'more such classes than a call takes arguments',
      300_000,
      { testSize: 2, seed: 1, stratifyBy: Array.from({ length: 300_000 }, (_row, i) => i) },
    ],
    ['fewer test rows than classes', 8, { testSize: 2, seed: 1, stratifyBy: [0, 0, 1, 1, 2, 2, 2, 2] }],
  ])('refuses %s', (_, rows, options) =>
    expect(() => trainTestSplit(rows, options)).toThrowError(expect.objectContaining({ code: 'table.read' })),
  )
})

describe.skipIf(!shared)('vectors of specs/mteb_test_vectors.json', () => {
  const vectors = () =>
    JSON.parse(readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8')) as {
      rng: Record<string, unknown>
      stratified_split: Record<string, number[]>
    }

  test('RandomState(42)', () => {
    const { rng } = vectors()
    const words = randomState(42)
    expect(range(6).map(() => words.word())).toEqual(rng['RandomState(42).u32'])
    const list = range(10)
    expect(range(3).map(() => [...randomState(42).shuffle(list)])).toEqual(
      rng['shuffle(arange(10)) with a fresh RandomState(42), applied three times in a row'],
    )
    expect(randomState(42).randint(0, 100, 8)).toEqual(rng['RandomState(42).randint(0,100,8)'])
    expect(Array.from(randomState(42).randomSample(3))).toEqual(rng['RandomState(42).random_sample(3)'])
    expect(randomState(42).choice(20, 5, { replace: false })).toEqual(rng['RandomState(42).choice(20,5,replace=False)'])
  })
  test('Random(42)', () => {
    const { rng } = vectors()
    const words = pythonRandom(42)
    expect(range(4).map(() => words.word())).toEqual(rng['Random(42).getrandbits(32)'])
    const small = pythonRandom(42)
    expect([small.sample(1000, 5), small.choices(1000, 5)]).toEqual(
      rng['Random(42).sample(range(1000),5) then choices(range(1000),k=5)'],
    )
    expect(pythonRandom(42).sample(20, 8)).toEqual(rng['Random(42).sample(range(20),8)'])
    const large = pythonRandom(42)
    expect([large.sample(59_545, 2381).slice(0, 5), large.choices(2381, 16_384).slice(0, 5)]).toEqual(
      rng['Random(42).sample(range(59545),2381)[:5] then choices(range(2381),16384)[:5]'],
    )
  })
  test('default_rng(42)', () => {
    const { rng } = vectors()
    const words = defaultRng(42)
    expect(range(4).map(() => String(words.word64()))).toEqual(rng['default_rng(42).raw64'])
    expect(Array.from(defaultRng(42).permutation(10))).toEqual(rng['default_rng(42).permutation(10)'])
    expect(Array.from(defaultRng(42).permutation(1000)).slice(0, 8)).toEqual(
      rng['default_rng(42).permutation(1000)[:8]'],
    )
    const choices = defaultRng(42)
    expect([
      choices.choice(20, 5, { replace: false }),
      choices.choice(12_000, 600, { replace: false }).slice(0, 5),
    ]).toEqual(
      rng['default_rng(42).choice(arange(20),5,replace=False) then choice(arange(12000),600,replace=False)[:5]'],
    )
  })
  test('stratified split', () => {
    const want = vectors().stratified_split
    const classes = randomState(0).randint(0, 7, 500)
    const { train, test: rest } = trainTestSplit(500, { testSize: 40, seed: 42, stratifyBy: classes })
    expect(Array.from(rest)).toEqual(want['test_indices'])
    expect(Array.from(train.slice(0, 10))).toEqual(want['train_first10'])
  })
})
