/** Runs a program that was read: exactly the text whose hash is known. */
import { asFault, type PluginSource } from '#core'

/** The exports of a program. Throws `plugin.invalid` with what its own top level throws. */
export async function importProgram({ path, sha256, code }: PluginSource): Promise<Readonly<Record<string, unknown>>> {
  // an address that holds the text: the file may change meanwhile, and the same text is the same module
  const text = `${code}\n//# sourceURL=${encodeURI(path)}?${sha256.slice(0, 12)}`
  try {
    return (await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)) as Readonly<
      Record<string, unknown>
    >
  } catch (error) {
    const problem = asFault(error, 'plugin.invalid', path)
    throw problem.parts.place.startsWith(path)
      ? problem
      : asFault(new Error(`${problem.parts.place}: ${problem.parts.what}`), 'plugin.invalid', path)
  }
}
