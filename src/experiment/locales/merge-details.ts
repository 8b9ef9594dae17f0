/** How a merge of a study was made, in the words of merginguriel, and the same as JSON with the hashes of the files. */
import { join } from 'node:path'
import { writeWhole } from '#platform/disk'

export interface MergedSource {
  readonly model: string
  readonly subfolder: string | null
  /** ISO 639-3 */
  readonly language: string
  readonly locale: string
  /** All of a merge sum to 1. */
  readonly weight: number
}

export interface MergeDetails {
  readonly mode: string
  readonly at: Date
  /** Lends its architecture, config and tokenizer; its weights enter only where it is a source. */
  readonly base: string
  /** ISO 639-3 */
  readonly language: string
  readonly sources: readonly MergedSource[]
  /** Files of the inputs and of the merge with their SHA-256, as its manifest has them. */
  readonly inputs: unknown
  readonly files: unknown
}

/** Writes `merge_details.txt` and `merge_details.json` and returns their paths. Throws `file.write`. */
export async function writeMergeDetails(folder: string, details: MergeDetails): Promise<string[]> {
  const texts = { 'merge_details.txt': detailsText(details), 'merge_details.json': detailsJson(details) }
  for (const [name, text] of Object.entries(texts)) await writeWhole(join(folder, name), text)
  return Object.keys(texts).map((name) => join(folder, name))
}

function detailsText({ mode, at, base, language, sources }: MergeDetails): string {
  const total = totalOf(sources)
  return [
    `Merge Mode: ${mode}`,
    `Timestamp (UTC): ${at.toISOString().slice(0, -1)}`,
    '',
    `Base Model (for architecture): ${base}`,
    `Target Language: ${language}`,
    '',
    '--- Merged Models and Weights ---',
    ...sources.flatMap((source, i) => [
      `${i + 1}. Model: ${source.model}`,
      // Python's word for nothing
      `   - Subfolder: ${source.subfolder ?? 'None'}`,
      `   - Language: ${source.language}`,
      `   - Locale: ${source.locale}`,
      `   - Weight: ${source.weight.toFixed(6)} (${((100 * source.weight) / total).toFixed(2)}% of total)`,
    ]),
    '',
    `Total Weight: ${total.toFixed(6)}`,
    '',
  ].join('\n')
}

function detailsJson({ mode, at, base, language, sources, inputs, files }: MergeDetails): string {
  const total = totalOf(sources)
  const document = {
    merge_mode: mode,
    timestamp: at.toISOString(),
    base_model: base,
    target_language: language,
    models: sources.map((source) => ({ ...source, share: source.weight / total })),
    total_weight: total,
    inputs,
    files,
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function totalOf(sources: readonly MergedSource[]): number {
  return sources.reduce((sum, { weight }) => sum + weight, 0)
}
