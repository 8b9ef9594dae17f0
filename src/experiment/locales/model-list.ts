/** The models of a study by locale: from a pattern, a folder, or a list as merginguriel keeps it. */
import { readdir, stat } from 'node:fs/promises'
import { fault } from '#core'
import { readColumns } from '#files/tables'

const placeholder = '{locale}'

export interface ModelListOptions {
  /** Locales that a pattern stands for, and that a folder or list may name. */
  readonly known: readonly string[]
  /** Folder inside every model, with `{locale}` where it is to be put in. */
  readonly subfolder?: string | undefined
}

/**
 * References by locale, in the order of a list, otherwise sorted. `spec` is a pattern with `{locale}`, for every known locale; a .csv file with columns
 * `locale` and `model_name`; or a folder, whose folders that are named as locales count. Throws `usage.value` where no
 * locale has a model, and for a list that has one twice.
 */
export async function modelsByLocale(
  spec: string,
  { known, subfolder }: ModelListOptions,
): Promise<ReadonlyMap<string, string>> {
  const pairs = await listed(spec, known)
  const models = new Map<string, string>()
  for (const [locale, model] of pairs) {
    const reference = subfolder === undefined ? model : `${model.replace(/\/+$/, '')}${folderIn(subfolder, locale)}`
    if (models.has(locale))
      throw fault('usage.value', {
        place: spec,
        what: `two models for ${locale}`,
        seen: [models.get(locale), reference].join(', '),
      })
    models.set(locale, reference)
  }
  if (models.size === 0)
    throw fault('usage.value', {
      place: spec,
      what: 'no model of a locale of MASSIVE',
      wanted:
        'a pattern such as ./models/{locale}, a folder of folders such as sq-AL, or a .csv with locale and model_name',
    })
  return models
}

function folderIn(pattern: string, locale: string): string {
  return `/${pattern.replaceAll(placeholder, locale)}`
}

/** A reference in its parts, as `modelsByLocale` put it together. */
export function withoutSubfolder(
  reference: string,
  locale: string,
  pattern: string | undefined,
): { readonly model: string; readonly subfolder: string | null } {
  const folder = pattern === undefined ? '' : folderIn(pattern, locale)
  return folder !== '' && reference.endsWith(folder)
    ? { model: reference.slice(0, -folder.length), subfolder: folder.slice(1) }
    : { model: reference, subfolder: null }
}

async function listed(
  spec: string,
  known: readonly string[],
): Promise<readonly (readonly [locale: string, model: string])[]> {
  if (spec.includes(placeholder)) return known.map((locale) => [locale, spec.replaceAll(placeholder, locale)] as const)
  if (spec.endsWith('.csv')) {
    const { columns } = await readColumns([spec], { columns: ['locale', 'model_name'] })
    const { locale: locales = [], model_name: names = [] } = columns
    return locales.flatMap((locale, i) =>
      known.includes(String(locale)) ? [[String(locale), String(names[i])] as const] : [],
    )
  }
  const facts = await stat(spec).catch(() => undefined)
  if (facts?.isDirectory() !== true)
    throw fault('file.missing', {
      place: spec,
      what: 'no such folder of models',
      hint: `${placeholder} in its place makes it a pattern: ./models/${placeholder}`,
    })
  const names = new Set(await readdir(spec))
  // org/name would be a model of the hub
  const folder = /^[.~/]/.test(spec) ? spec : `./${spec}`
  return known
    .filter((locale) => names.has(locale))
    .map((locale) => [locale, `${folder.replace(/\/+$/, '')}/${locale}`] as const)
}
