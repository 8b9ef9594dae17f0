/** The statements of a model card in its front matter. */
import { Fault, type RepoFiles } from '#core'
import { frontMatter, isObject } from '#files/formats'
import type { StatedLicence } from './joined-licence.ts'

export interface ModelCard {
  /** The repository, as the user named it. */
  readonly model: string
  readonly licence: StatedLicence | undefined
  readonly languages: readonly string[]
  readonly datasets: readonly string[]
  readonly pipelineTag: string | undefined
}

/** In bytes; a longer file is no card. */
const longest = 4 * 2 ** 20

/**
 * The statements of README.md. A repository without one, or with one that cannot be read, states nothing. Throws
 * `run.cancelled`.
 */
export async function readCard(files: RepoFiles): Promise<ModelCard> {
  const place = `${files.name} › README.md`
  try {
    if (!(await files.has('README.md'))) return parseCard(files.name, undefined)
    return parseCard(files.name, frontMatter(await files.text('README.md', longest), place))
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'run.cancelled') throw error
    return parseCard(files.name, undefined)
  }
}

export function parseCard(model: string, head: unknown): ModelCard {
  const fields = isObject(head) ? head : {}
  const [tag] = readTexts(fields['pipeline_tag'])
  return {
    model,
    licence: readLicence(fields),
    languages: readTexts(fields['language']),
    datasets: readTexts(fields['datasets']),
    pipelineTag: tag,
  }
}

/** Several licences, which the hub allows, have no single identifier. */
function readLicence(fields: Record<string, unknown>): StatedLicence | undefined {
  const ids = readTexts(fields['license']).map((id) => id.toLowerCase())
  const [id] = ids
  const [name] = readTexts(fields['license_name'])
  const [link] = readTexts(fields['license_link'])
  if (id === undefined || (ids.length === 1 && id === 'unknown')) return undefined
  if (ids.length > 1) return { id: 'other', name: ids.join('-and-') }
  return { id, ...(name === undefined ? {} : { name }), ...(link === undefined ? {} : { link }) }
}

/** A text, or the texts of a list. YAML reads the language code `no` as a text in 1.2, and as false in 1.1. */
function readTexts(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(list.filter((one) => typeof one === 'string' && one !== ''))] as string[]
}
