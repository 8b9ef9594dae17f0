/** The tables that a plug-in may add to, each with its laws. */
import type { Law, PluginSource, Table } from '#core'
import { addAggregationMethods, aggregationLaws, aggregationTable } from '#representation/aggregation'
import { addMetrics, metricLaws, metricTable } from '#representation/metrics'
import { addSimilarities, similarityLaws, similarityTable } from '#representation/similarity'
import { addMergeMethods, mergeMethodLaws, mergeMethodTable } from '#model/merge-methods'
import { protocolTable } from '#task/rows'
import { addTaskProtocols, type TaskProtocolDefinition, taskProtocolLaws } from '#task/protocols'

/** A table whose entries have one type inside, and any outside. */
export interface Room {
  readonly table: Pick<Table<{ readonly name: string }>, 'kind' | 'clear'>
  readonly add: (exports: Readonly<Record<string, unknown>>, source: PluginSource) => string[]
  /** The laws, applied to the entry of a name. */
  readonly laws: (name: string) => readonly { readonly law: string; readonly hold: () => Promise<void> }[]
}

function room<Entry extends { readonly name: string }>(
  table: Table<Entry>,
  add: Room['add'],
  laws: readonly Law<Entry>[],
): Room {
  return {
    table,
    add,
    laws(name) {
      const entry = table.find(name)
      if (entry === undefined) return []
      return laws
        .filter(({ concerns }) => concerns?.(entry) !== false)
        .map(({ law, hold }) => ({ law, hold: () => hold(entry) }))
    },
  }
}

export const rooms: readonly Room[] = [
  room(mergeMethodTable, addMergeMethods, mergeMethodLaws()),
  room(aggregationTable, addAggregationMethods, aggregationLaws()),
  room(metricTable, addMetrics, metricLaws()),
  room(similarityTable, addSimilarities, similarityLaws()),
  // its entries are made by `addTaskProtocols` alone
  room(protocolTable as Table<TaskProtocolDefinition>, addTaskProtocols, taskProtocolLaws()),
]
