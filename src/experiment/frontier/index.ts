/**
 * frontier: how small the vectors of a model may be – layers, poolings, leading dimensions and types, scored from one
 * encoding per text.
 *
 * In: an opened model, tasks, axes. Out: results on disk; the front of score and bytes, and the choice on it.
 * Never: a choice based on the scores that judge it, console output.
 */
export { frontierPicture, frontierTable } from './frontier-tables.ts'
export type { FrontierOptions } from './options.ts'
export { type FrontierAxes, frontierPoints } from './points.ts'
export { type Frontier, type FrontierPoint, runFrontier } from './run-frontier.ts'
