/** A model's JSON files as they are. */
import type { RepoFiles } from '#core'
import { readJsonFields } from '#files/formats'

/** Fields of config.json, none where there is no such file. Throws `format.*`, `config.value` when it is no object. */
export function configOf(files: RepoFiles): Promise<Record<string, unknown>> {
  return fieldsOf(files, 'config.json')
}

/**
 * Fields of generation_config.json, none where there is no such file. Throws `format.*`, `config.value` when it is no
 * object.
 */
export function generationOf(files: RepoFiles): Promise<Record<string, unknown>> {
  return fieldsOf(files, 'generation_config.json')
}

async function fieldsOf(files: RepoFiles, path: string): Promise<Record<string, unknown>> {
  return { ...(await readJsonFields(files, path))?.fields }
}
