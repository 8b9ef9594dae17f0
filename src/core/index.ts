/**
 * core: the words every room shares – tensors, matrices, files, results, faults, progress.
 *
 * In: nothing. Out: types and a few pure functions.
 * Never: a file read, a model, a network, a clock.
 */
export { compareCodePoints, stripText } from './code-points.ts'
export { compiledBeside } from './compiled.ts'
export { duration } from './duration.ts'
export { asFault, Fault, fault, type FaultCode, type FaultParts } from './fault.ts'
export type { RepoFiles } from './files.ts'
export { fingerprint, sha256 } from './hash.ts'
export { matrix, row, takeRows, type Matrix } from './matrix.ts'
export { nearest, suggestion } from './nearest.ts'
export type { OnProgress, Progress } from './progress.ts'
export { profiles, type Profile, type Provenance, type Result, type ResultSettings, type Scores, type SubsetScores } from './result.ts'
export type { AskingTask, Embedder, EmbedOptions, PromptType, SequenceClassifier } from './seams.ts'
export { dtypeBytes, dtypes, elementCount, type Dtype, type ModelHeaders, type TensorInfo, type TensorLocation, type TensorSource } from './tensor.ts'
export { defaultRng, type DefaultRng } from './random/default-rng.ts'
export { normalOf, openFraction } from './random/normal.ts'
export { philox, type WordsAt } from './random/philox.ts'
export { pythonRandom, type PythonRandom } from './random/python-random.ts'
export { type MutableList, randomState, type RandomState } from './random/random-state.ts'
export { type SplitOptions, trainTestSplit, type TrainTestSplit } from './random/train-test-split.ts'
export {
  type Code,
  code,
  get,
  i32Add,
  i32Constant,
  i32HalfOf,
  instantiate,
  lanes,
  load,
  loadHalf,
  loop,
  set,
  simd,
  store,
  storeHalf,
  type ValueType,
  type WasmFunction,
  type WasmMemory,
  words,
} from './wasm.ts'
