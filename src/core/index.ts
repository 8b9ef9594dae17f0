/**
 * core: the words that every room shares – tensors, matrices, files, results, faults, progress.
 *
 * In: nothing. Out: types and a few pure functions.
 * Never: reading a file, a model, a network, a clock.
 */
export { readScheme } from './address.ts'
export { compareCodePoints, compareUnits, stripText } from './code-points.ts'
export { broken, type Law } from './contract.ts'
export { type Device, deviceIndex, deviceName, type DeviceName, deviceNames, parseDevice } from './device.ts'
export { duration } from './duration.ts'
export { asFault, Fault, fault, type FaultCode, type FaultParts } from './fault.ts'
export {
  byteText,
  dash,
  decimals,
  gigabytes,
  grouped,
  quantity,
  percent,
  points,
  pPhrase,
  pText,
  roughBytes,
  signed,
  signedPoints,
  significant,
} from './figures.ts'
export type { RepoFiles } from './files.ts'
export { fingerprint, sha256 } from './hash.ts'
export { type Floats, matrix, type Matrix, type Matrix64, row, takeRows } from './matrix.ts'
export {
  compensatedDeviation,
  compensatedMean,
  compensatedSum,
  mean,
  meanOfAll,
  numpyQuantile,
  populationDeviation,
  quantile,
  sampleDeviation,
} from './means.ts'
export { named } from './named.ts'
export { bracketNearest, nearest, suggestion, suggestNearest } from './nearest.ts'
export {
  declare,
  findEntry,
  keyName,
  declaredKind,
  openTable,
  findPlugin,
  runPlugin,
  type PluginKind,
  type PluginSource,
  type Table,
} from './plugin.ts'
export { printable, printableText } from './printable.ts'
export type { OnProgress, Progress } from './progress.ts'
export { type Provenance, type Result, type ResultSettings, type Scores, type SubsetScores } from './result.ts'
export type {
  AskingTask,
  AskOptions,
  Calibration,
  CallOptions,
  ChatPromptOptions,
  ChatTurn,
  Continuation,
  ContinuationScore,
  Embedder,
  Rescore,
  GenerateOptions,
  Generation,
  LanguageModel,
  LanguageModelCall,
  ScoreCall,
  LanguageModelFacts,
  NamedToken,
  OnScores,
  PromptType,
  Reranker,
  SearchedTexts,
  Searcher,
  SearchRequest,
  SequenceClassifier,
  TokenScores,
} from './seams.ts'
export { similarities, type Similarity } from './similarity.ts'
export {
  type Dtype,
  dtypeBytes,
  dtypes,
  elementCount,
  type ModelHeaders,
  type TensorInfo,
  type TensorLocation,
  type TensorSource,
} from './tensor.ts'
export { version } from './version.ts'
