/** From a function that a task file names to its port: by its wording, wherever its file lies. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fault } from '#core'
import { functionWording, type FunctionWording } from '../config/python-source.ts'
import type { FunctionReference } from '../config/read-config.ts'
import type { Port } from './port.ts'
import { ports, shapes, worded } from './table.ts'
import { wordings } from './wordings.ts'

/**
 * The port of a function for the field it stands in. Throws `task.unsupported` naming the function where there is none.
 */
export type PortFinder = <Kind extends Port['kind']>(
  reference: FunctionReference,
  kind: Kind,
) => Extract<Port, { kind: Kind }>

/** The wording of a function, where its file or a stored wording of it is here. */
export type WordingOf = (reference: FunctionReference) => FunctionWording | undefined

const byExact = new Map(Object.entries(wordings).map(([key, { exact }]) => [exact, key]))
const byShape = new Map(Object.entries(wordings).map(([key, { shape }]) => [shape, key]))

/** Undefined where the function has no port, or is worded otherwise than the one that a port was made from. */
export function portOf(reference: FunctionReference, wordingOf: WordingOf = wordingInFile): Port | undefined {
  const wording = wordingOf(reference)
  if (wording === undefined) return undefined
  const same = byExact.get(wording.exact)
  if (same !== undefined && Object.hasOwn(ports, same)) return ports[same]
  if (same !== undefined && Object.hasOwn(worded, same))
    return worded[same]?.({ constants: wording.constants, folder: basename(dirname(reference.file)) })
  const like = byShape.get(wording.shape)
  return like !== undefined && Object.hasOwn(shapes, like) ? shapes[like]?.(wording.constants) : undefined
}

export function portFinder(place: string, wordingOf: WordingOf = wordingInFile): PortFinder {
  return (reference, kind) => {
    const port = portOf(reference, wordingOf)
    if (port?.kind === kind) return port as Extract<Port, { kind: typeof kind }>
    throw fault('task.unsupported', {
      place,
      what:
        port === undefined
          ? 'the task wants a Python function that is not written here'
          : 'a function stands in the wrong field',
      seen: reference.key,
      hint: 'docs/harness-support.md lists what runs',
    })
  }
}

const sources = new Map<string, string | undefined>()
const found = new Map<string, FunctionWording | undefined>()

/** From the Python file itself and those of its tasks folder that it imports, which are read and never run. */
export function wordingInFile({ file, name }: FunctionReference): FunctionWording | undefined {
  const key = `${file}#${name}`
  if (!found.has(key)) {
    const source = sourceOf(file)
    found.set(
      key,
      source === undefined ? undefined : functionWording(source, name, (module) => importedBy(file, module)),
    )
  }
  return found.get(key)
}

function sourceOf(file: string): string | undefined {
  if (!sources.has(file)) sources.set(file, existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  return sources.get(file)
}

/** `lm_eval.tasks.a.b` lies below the folder `tasks` that the file is in, `.b` next to the file. */
function importedBy(file: string, module: string): string | undefined {
  const [, inside] = /^lm_eval\.tasks\.(.+)$/.exec(module) ?? []
  if (inside === undefined)
    return /^\.[^.]/.test(module)
      ? sourceOf(join(dirname(file), `${module.slice(1).replaceAll('.', '/')}.py`))
      : undefined
  const parts = file.split(/[\\/]/)
  const at = parts.lastIndexOf('tasks')
  return at < 0 ? undefined : sourceOf(`${join(parts.slice(0, at + 1).join('/'), ...inside.split('.'))}.py`)
}
