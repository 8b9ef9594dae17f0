/** Models that read queries and documents in different ways: which modules each of them passes. */
import { fault, type RepoFiles } from '#core'
import {
  fieldOf,
  isObject,
  type JsonFields,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  wrongField,
} from '#files/formats'
import { checkedFirst, type Entries, inFolder, toEntry, unsupported } from './module-entries.ts'

/** Modules of a text that is no side's, of a query, of a document: the same array where they are the same. */
export interface RouteEntries {
  readonly plain: Entries
  readonly query: Entries
  readonly document: Entries
}

/** router_config.json, or config.json of older folders. Throws `config.*`, `file.outside`. */
export async function readRoutes(files: RepoFiles, folder: string): Promise<RouteEntries> {
  const config =
    (await readJsonFields(files, inFolder(folder, 'router_config.json'))) ??
    (await readJsonFields(files, inFolder(folder, 'config.json')))
  if (config === undefined)
    throw fault('config.missing', {
      place: `${files.name}/${inFolder(folder, 'router_config.json')}`,
      what: 'the module Router has no config',
      hint: 'download the repository completely',
    })
  const routes = readStructure(config, folder)
  const named = (name: string, place: string): Entries => {
    const route = routes.get(name)
    if (route === undefined) throw wrongField(config.place, place, name, [...routes.keys()].join(', '))
    return route
  }
  const parameters = optionalObjectOf(config, 'parameters')
  const mapped = readMappings(parameters)
  const routeFor = (side: 'query' | 'document'): Entries => {
    const mapping = mapped(side)
    if (mapping !== undefined) return named(mapping, 'route_mappings')
    const own = routes.get(side) ?? routes.get('text')
    if (own === undefined) throw wrongField(config.place, 'structure', [...routes.keys()], `a route for ${side}`)
    return own
  }
  const plainly = mapped(undefined) ?? (routes.has('text') ? 'text' : undefined)
  const first = parameters?.fields['allow_empty_key'] === false ? undefined : [...routes.keys()][0]
  const usual = plainly ?? (parameters && optionalTextOf(parameters, 'default_route')) ?? first
  if (usual === undefined)
    throw unsupported(`${config.place} › parameters`, 'no default_route', 'texts of no side need a route')
  return { plain: named(usual, 'default_route'), query: routeFor('query'), document: routeFor('document') }
}

function readStructure(config: JsonFields, folder: string): Map<string, Entries> {
  const types = optionalObjectOf(config, 'types')
  const structure = optionalObjectOf(config, 'structure')
  if (types === undefined || structure === undefined)
    throw wrongField(config.place, 'structure', null, 'types and structure of the routes')
  const routes = new Map<string, Entries>()
  for (const [route, ids] of Object.entries(structure.fields)) {
    if (!Array.isArray(ids)) throw wrongField(structure.place, route, ids, 'a list of modules')
    const entries = ids.map((id: unknown) => {
      const type = typeof id === 'string' ? fieldOf(types.fields, id) : undefined
      if (typeof id !== 'string' || typeof type !== 'string')
        throw wrongField(structure.place, route, id, `one of the types: ${Object.keys(types.fields).join(', ')}`)
      return toEntry(type, inFolder(folder, id), types.place)
    })
    const first = checkedFirst(entries, `${structure.place} › ${route}`)
    if (['Router', 'Asym'].includes(first[0].name))
      throw unsupported(`${structure.place} › ${route}`, first[0].name, 'a route within a route')
    routes.set(route, first)
  }
  return routes
}

/**
 * Route of a text by its side, in the library's order: side and `text`, side alone, `text` alone, neither. Keys are
 * Python's tuples as text.
 */
function readMappings(
  parameters: JsonFields | undefined,
): (side: 'query' | 'document' | undefined) => string | undefined {
  const mappings = fieldOf(parameters?.fields ?? {}, 'route_mappings') ?? {}
  const place = `${parameters?.place ?? ''} › route_mappings`
  if (!isObject(mappings)) throw wrongField(place, 'route_mappings', mappings, 'an object')
  const keyed = new Map<string, string>()
  for (const [key, route] of Object.entries(mappings)) {
    const [, side, modality] = /^\((None|'[^']*'), (None|'[^']*'|\(.*\))\)$/.exec(key) ?? []
    if (side === undefined || modality === undefined || typeof route !== 'string')
      throw wrongField(place, key, route, "(task, modality) as in \"('query', 'text')\"")
    keyed.set(`${side} ${modality}`, route)
  }
  return (side) => {
    const own = side === undefined ? 'None' : `'${side}'`
    return [`${own} 'text'`, `${own} None`, "None 'text'", 'None None']
      .map((key) => keyed.get(key))
      .find((route) => route !== undefined)
  }
}
