/** Graphs of one model, opened once for each request and shared. */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { readFloat32 } from '#files/formats'
import { buildGraph, type Graph, type GraphRequest } from '#model/graph'
import { openSession, type Session } from '#platform/runtime'
import type { ModelOptions } from './options.ts'

export interface Opened {
  readonly graph: Graph
  readonly session: Session
}

export interface OpenGraph {
  (request: GraphRequest): Promise<Opened>
}

export interface Sessions {
  readonly open: OpenGraph
  close(): Promise<void>
}

export function openSessions(spec: ModelSpec, tensors: TensorSource, { threads, device }: Pick<ModelOptions, 'threads' | 'device'>): Sessions {
  const opened = new Map<string, Promise<Opened>>()
  const openNew = async (request: GraphRequest): Promise<Opened> => {
    const graph = await buildGraph(spec, tensors, request, { readFloat32: (name) => readFloat32(tensors, name) })
    return { graph, session: await openSession(graph, { ...(threads === undefined ? {} : { threads }), ...(device === undefined ? {} : { device }) }) }
  }
  return {
    open(request) {
      const key = JSON.stringify(request)
      const known = opened.get(key) ?? openNew(request)
      opened.set(key, known)
      // What failed is not remembered: the next call may find what was missing.
      known.catch(() => opened.delete(key))
      return known
    },
    async close() {
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.session.close()] : [])))
    },
  }
}
