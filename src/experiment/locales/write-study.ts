/** A study as files: an experiment file with a section `locales`, and the recipes that it names. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '#platform/disk'
import type { Study } from './study.ts'

/** Name of the experiment file in the folder of a study. */
export const studyFile = 'locales.yaml'

/** `settings`: further keys of the experiment file. Returns the path of the file. Throws `file.write`. */
export async function writeStudy(
  folder: string,
  { locales, recipes }: Study,
  settings: Readonly<Record<string, unknown>>,
): Promise<string> {
  await mkdir(join(folder, 'recipes'), { recursive: true })
  for (const [path, recipe] of recipes) {
    const documents = Array.isArray(recipe) ? recipe : [recipe]
    await writeWhole(join(folder, path), documents.map(yamlOf).join('---\n'))
  }
  const path = join(folder, studyFile)
  const listed = Object.entries(locales).map(([locale, entry]) => `  ${locale}: ${JSON.stringify(entry)}\n`)
  await writeWhole(path, `${yamlOf(settings)}locales:\n${listed.join('')}`)
  return path
}

/** One key a line, one element of a list a line; JSON is YAML. */
function yamlOf(document: object): string {
  return Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) =>
      Array.isArray(value)
        ? `${key}:\n${value.map((one) => `  - ${JSON.stringify(one)}\n`).join('')}`
        : `${key}: ${JSON.stringify(value)}\n`,
    )
    .join('')
}
