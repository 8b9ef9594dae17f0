/** Protocols of the user's own: which rows they score. How they score is for the room of protocols. */
import { openTable } from '#core'
import { type Protocol, protocols, taskTypes } from './task.ts'

/** A protocol of the user's own, as far as rows are concerned. */
export interface PluginProtocol {
  readonly name: string
  /** The protocol whose rows it scores. */
  readonly rows: Protocol
  /** The score that counts, where a task file names none. */
  readonly mainScore: string
}

/** Strata's own are known by the types of their tasks; those of plug-ins are here. */
export const protocolTable = openTable<PluginProtocol>('task protocol', {}, [...protocols, ...taskTypes])
