/** A model's JSON files, unchanged. */
import type { RepoFiles } from '#core'
import { readJsonFields } from '#files/formats'

/**
 * Fields of config.json, empty where the file does not exist. Throws `format.*`, and `config.value` when it is not an
 * object.
 */
export function readConfig(files: RepoFiles): Promise<Record<string, unknown>> {
  return fieldsOf(files, 'config.json')
}

/**
 * Fields of generation_config.json, empty where the file does not exist. Throws `format.*`, and `config.value` when it
 * is not an object.
 */
export function readGenerationConfig(files: RepoFiles): Promise<Record<string, unknown>> {
  return fieldsOf(files, 'generation_config.json')
}

async function fieldsOf(files: RepoFiles, path: string): Promise<Record<string, unknown>> {
  return { ...(await readJsonFields(files, path))?.fields }
}
