/** Paths are those of this machine: an address would become a folder of its name. */
import { fault, readScheme } from '#core'

/** The path itself. Throws `usage.value` for `s3://…` and its like. */
export function localPath(text: string, place: string): string {
  if (readScheme(text) === undefined) return text
  throw fault('usage.value', {
    place,
    what: 'is an address, and a path of this machine is wanted',
    seen: text,
    hint: 'name a folder or file, and copy it with the tools of that address',
  })
}
