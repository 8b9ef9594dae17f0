/** A plug-in held to the laws of what it defines. */
import { asFault, type PluginKind } from '#core'
import { rooms } from './rooms.ts'
import { usePlugins } from './use-plugins.ts'

/** One law of one definition. */
export interface Verdict {
  readonly kind: PluginKind
  readonly name: string
  readonly law: string
  /** The finding that breaks it; undefined where it holds. */
  readonly broken: string | undefined
}

/** Every law of every definition of a file, in order, as each is decided. Throws as `usePlugins`. */
export async function* checkPlugin(path: string): AsyncGenerator<Verdict> {
  for (const { kind, name } of await usePlugins([path])) {
    const laws = rooms.find(({ table }) => table.kind === kind)?.laws(name) ?? []
    for (const { law, hold } of laws)
      yield {
        kind,
        name,
        law,
        broken: await hold().then(
          () => undefined,
          (error: unknown) => asFault(error, 'plugin.broken', name).message,
        ),
      }
  }
}
