/**
 * Dense linear algebra, statistics of paired values, simple models, and the generators of NumPy and Python, draw for
 * draw. A matrix is row-major: `{ rows, width, data }`.
 *
 * @module linalg
 */
export { type Floats, matrix, type Matrix, type Matrix64, row, takeRows } from '#core'
export {
  averageRanks,
  correlationPValue,
  type Covariance,
  covarianceOf,
  fitLinear,
  fitLogistic,
  kendall,
  kmeans,
  type KMeans,
  type KMeansOptions,
  type KMeansProfile,
  lbfgs,
  type LbfgsOptions,
  type LbfgsResult,
  type LinearModel,
  type LloydOptions,
  type LogisticModel,
  type LogisticOptions,
  miniBatchKMeans,
  nearestNeighbours,
  type NeighbourOptions,
  type Objective,
  pairedCosine,
  pairedDot,
  pairedEuclidean,
  pairedManhattan,
  pearson,
  predictLinear,
  predictLogistic,
  type PrincipalAxes,
  principalAxes,
  spearman,
  svd,
  type Svd,
  symmetricEigen,
  timesTransposed,
  transposed,
  unitRows,
} from '#platform/linalg'
export {
  defaultRng,
  type DefaultRng,
  pythonRandom,
  type PythonRandom,
  randomState,
  type RandomState,
  type SplitOptions,
  trainTestSplit,
  type TrainTestSplit,
} from '#platform/random'
