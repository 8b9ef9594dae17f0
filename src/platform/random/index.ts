/**
 * random: the generators of NumPy, Python and Philox, seeded, draw for draw; splits made with them.
 *
 * In: a seed. Out: numbers, permutations, index lists.
 * Never: a clock, an unseeded draw.
 */
export { defaultRng, type DefaultRng } from './default-rng.ts'
export { normalOf, openFraction } from './normal.ts'
export { philox, type WordsAt } from './philox.ts'
export { pythonRandom, type PythonRandom } from './python-random.ts'
export { type MutableList, randomState, type RandomState } from './random-state.ts'
export { type SplitOptions, trainTestSplit, type TrainTestSplit } from './train-test-split.ts'
