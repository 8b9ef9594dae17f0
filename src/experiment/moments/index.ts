/**
 * moments: what a merge by Fisher information or Gram matrices has to know of each model, from rows of a task.
 *
 * In: a reference, a task and a subset of it. Out: a file of second moments, taken again while nothing that moves it
 * changed.
 * Never: a merge, a score.
 */
export { type MomentsFile, writeMoments } from './moments-file.ts'
export type { MomentKind, MomentLabels, MomentOptions } from './options.ts'
