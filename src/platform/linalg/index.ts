/**
 * linalg: the arithmetic under evaluation, similarity and merging – products, distances, neighbours, ranks,
 * correlations, decompositions, k-means, L-BFGS, linear and logistic regression, small networks.
 *
 * In: matrices [rows × width] and typed arrays. Out: numbers, arrays, fitted models.
 * Never: a model file, a text, a task, a clock, an unseeded draw.
 */
export { mostAtLeast, placesAtLeast } from './at-least-simd.ts'
export { principalAxesApart, widestApart } from './axes-pool.ts'
export { solvePositive } from './cholesky.ts'
export { pearson, spearman } from './correlation.ts'
export { type Covariance, covarianceOf } from './covariance.ts'
export { columns, joined, joinedRows, product, scaleColumns } from './dense64.ts'
export { kendall } from './kendall.ts'
export { type KMeans, type KMeansOptions, type KMeansProfile, kmeansProfiles, miniBatchKMeans } from './kmeans.ts'
export { kmeans, type LloydOptions } from './kmeans-lloyd.ts'
export { lbfgs, type LbfgsOptions, type LbfgsResult, type Objective } from './lbfgs.ts'
export { fitLinear, type LinearModel, predictLinear } from './linear-regression.ts'
export { type Joint, leavesOf, linkage, type LinkageMethod, rowDistances } from './linkage.ts'
export { fitLogisticEach, type LogisticSample } from './logistic-pool.ts'
export { fitLogistic, type LogisticModel, type LogisticOptions, predictLogistic } from './logistic-regression.ts'
export { nearestNeighbours, type NeighbourOptions } from './neighbours.ts'
export { correlationPValue, normalPValue, studentPValue } from './p-value.ts'
export {
  paired,
  pairedCosine,
  pairedDot,
  pairedEuclidean,
  pairedManhattan,
  type PairedSimilarity,
  rowNorms,
  unitRows,
  unitRows64,
} from './paired.ts'
export { fitPerceptron, type Perceptron, type PerceptronData, type PerceptronOptions } from './perceptron.ts'
export { lossInPlace, type PerceptronLoss } from './perceptron-loss.ts'
export { type PrincipalAxes, principalAxes } from './principal-axes.ts'
export { timesTransposedPlain } from './product-plain.ts'
export { timesTransposed, type TimesTransposed, transposed } from './product.ts'
export { extendRanges, toFloat16, toSigns, toSteps } from './quantize-simd.ts'
export { radixOrder32 } from './radix-order-32.ts'
export { openRankSums, rankLanes, rankPlaces, type RankSums } from './rank-sums-simd.ts'
export { averageRanks } from './ranks.ts'
export { solveSparseRidge, type SparseRows, sparseTimes } from './sparse-ridge.ts'
export { polar, svd, type Svd } from './svd.ts'
export { symmetricEigen } from './symmetric-eigen.ts'
export { symmetricValues } from './symmetric-values.ts'
