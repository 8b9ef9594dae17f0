/**
 * late-interaction: search by the vectors of all tokens – MaxSim, exact, in blocks.
 *
 * In: texts of queries and documents, and an encoder of their tokens. Out: scores of every document for every query.
 * Never: a checkpoint, a tokenizer, a file, a task's score.
 */
export { maxSim, type TokenVectors } from './max-sim.ts'
export { type MaxSimOptions, maxSimSearcher, type TokenEncoder } from './max-sim-searcher.ts'
export { projected } from './projected.ts'
