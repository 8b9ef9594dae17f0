/** Protocols of the user's own: checked in shape when they are defined, named in every failure when they run. */
import {
  declare,
  declaredKind,
  fault,
  findEntry,
  type Matrix,
  type PluginSource,
  type PromptType,
  runPlugin,
} from '#core'
import { type PluginProtocol, type PartOf, type PartOfProtocol, protocolTable } from '#task/rows'
import { type Context, embedFinite, type ItemColumns, type PartScores } from './part-scores.ts'

/** What a protocol of the user's own is given along with the rows. */
export interface ScoringContext {
  /** Vectors of texts, [texts × width], every number finite; queries and documents may have prompts of their own. */
  readonly embed: (texts: readonly string[], promptType?: PromptType) => Promise<Matrix>
  readonly signal: AbortSignal | undefined
}

/** Scores of a part by name, 0 … 1, and where there are any, columns of single items. */
export interface ProtocolScores {
  readonly metrics: Readonly<Record<string, number>>
  readonly columns?: ItemColumns
}

/** Protocols whose rows a plug-in may score: pairs of texts, with a gold similarity or a label. */
const pairRows = ['AbsTaskSTS', 'AbsTaskPairClassification'] as const
export type PairRows = (typeof pairRows)[number]

/** A task protocol as a plug-in writes it. */
export interface TaskProtocolDefinition<Rows extends PairRows = PairRows> {
  readonly name: string
  readonly rows: Rows
  readonly mainScore: string
  readonly score: (part: PartOfProtocol[Rows], context: ScoringContext) => Promise<ProtocolScores> | ProtocolScores
}

/**
 * A protocol for a file that `--plugin` names; a task file then says `scorer: <name>`. Rows are read as those of one of
 * Strata's protocols, `rows`, and `score` gives their scores by name, `mainScore` among them. Throws `plugin.invalid` for
 * a field that is missing or of another type.
 *
 * @example
 * ```ts
 * import { defineTaskProtocol } from 'strata-lm/plugin'
 *
 * export const widths = defineTaskProtocol({
 *   name: 'width_alone',
 *   rows: 'AbsTaskSTS',
 *   mainScore: 'width',
 *   score: async ({ sentence1 }, { embed }) => ({ metrics: { width: 1 / (await embed(sentence1)).width } }),
 * })
 * console.log(widths.name, widths.mainScore) // → width_alone width
 * ```
 */
export function defineTaskProtocol<Rows extends PairRows>(
  protocol: TaskProtocolDefinition<Rows>,
): TaskProtocolDefinition<Rows> {
  const { name, rows, mainScore, score } = protocol
  const wrong = (what: string, seen: unknown, wanted: string): never => {
    throw fault('plugin.invalid', { place: `task protocol ${name}`, what, seen, wanted })
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name)) wrong('its name', name, 'small letters, digits and _, a letter first')
  if (!pairRows.includes(rows)) wrong('rows', rows, pairRows.join(', '))
  if (typeof mainScore !== 'string' || mainScore === '') wrong('mainScore', mainScore, 'the name of a score')
  if (typeof score !== 'function') wrong('score', typeof score, 'a function')
  return declare('task protocol', { ...protocol })
}

/** Adds the protocols among a plug-in's exports: task files find them by name. Returns their names. */
export function addTaskProtocols(exports: Readonly<Record<string, unknown>>, source: PluginSource): string[] {
  const found = [...new Set(Object.values(exports))].filter((value) => declaredKind(value) === 'task protocol')
  for (const protocol of found as TaskProtocolDefinition[]) protocolTable.add(guarded(protocol, source), source)
  return (found as TaskProtocolDefinition[]).map(({ name }) => name)
}

function guarded(protocol: TaskProtocolDefinition, { path }: PluginSource): TaskProtocolDefinition {
  const place = `${path} › ${protocol.name}`
  return {
    ...protocol,
    async score(part: PartOfProtocol[PairRows], context: ScoringContext) {
      const scores = await runPlugin(place, async () => protocol.score(part, context))
      const metrics: unknown = scores?.metrics
      const values = typeof metrics === 'object' && metrics !== null ? Object.entries(metrics) : []
      const wrong = values.find(([, value]) => typeof value !== 'number' || !Number.isFinite(value))
      if (values.length > 0 && wrong === undefined && protocol.mainScore in scores.metrics) return scores
      throw fault('plugin.failed', {
        place,
        what: wrong === undefined ? `it gives no ${protocol.mainScore}` : `${wrong[0]} is not a finite number`,
        seen: wrong === undefined ? values.map(([name]) => name) : String(wrong[1]),
      })
    },
  }
}

/** How a task's part is scored by the protocol of a plug-in. */
export function scoreByPlugin(scorer: string, context: Context): (part: PartOf) => Promise<PartScores> {
  const [name = ''] = scorer.split('@')
  const found = findEntry<PluginProtocol>(protocolTable, name, context.task.name) as TaskProtocolDefinition
  return async (part) => {
    const scores = await found.score(part as PartOfProtocol[PairRows], {
      embed: (texts, promptType) => embedFinite(context, texts, promptType),
      signal: context.signal,
    })
    return { metrics: scores.metrics, columns: scores.columns ?? {} }
  }
}
