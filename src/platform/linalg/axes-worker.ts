/** Entry of a thread that finds principal axes, of one matrix after another. */
import type { Matrix64 } from '#core'
import { serveThread } from '#platform/threads'
import { principalAxes } from './principal-axes.ts'

export interface AxesJob {
  readonly symmetric: Matrix64
  readonly count: number
}

serveThread(async (body) => {
  const { symmetric, count } = body as AxesJob
  const axes = await principalAxes(symmetric, count)
  return { value: axes, transfer: [axes.vectors.data.buffer as ArrayBuffer] }
})
