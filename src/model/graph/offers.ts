/**
 * Whether a model's tensors hold what a request needs; a checkpoint saved from a headed class often lacks the pooler.
 */
import { Fault, type TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { planGraph } from './plan.ts'
import type { GraphRequest } from './request.ts'

/** False when tensors are missing or the family has no such head; other defects are thrown. */
export function offers(spec: ModelSpec, tensors: TensorSource, request: GraphRequest): boolean {
  try {
    planGraph(spec, tensors, request)
    return true
  } catch (error) {
    if (error instanceof Fault && (error.code === 'tensor.missing' || error.code === 'config.unsupported')) return false
    throw error
  }
}
