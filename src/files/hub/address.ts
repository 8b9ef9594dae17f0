/**
 * Addresses of the hub as people paste them, as the reference they mean: the page of a repository, of a revision or of a
 * file in it, and huggingface_hub's `hf://`.
 */
import { fault, readScheme } from '#core'

const host = /^(?:https?:\/\/(?:www\.)?(?:huggingface\.co|hf\.co)|hf:\/)\//i

/**
 * `org/name[@revision]` where `text` is such an address, otherwise the text itself. Throws `hub.name` for other addresses,
 * for data sets and spaces, and for a folder of a repository.
 */
export function fromAddress(text: string): string {
  const found = readScheme(text)
  if (found === undefined) return text
  const refuse = (what: string): Error =>
    fault('hub.name', {
      place: text,
      what,
      wanted: 'org/name, org/name@revision, or a folder as ./folder',
    })
  if (!host.test(text)) throw refuse(`an address that begins with ${found}:// is not opened as a model`)
  const parts = text
    .replace(host, '')
    .replace(/[?#].*$/, '')
    .replace(/^models\//, '')
    .split('/')
    .filter((part) => part !== '')
  if (parts[0] === 'datasets' || parts[0] === 'spaces') throw refuse(`${parts[0]} are no models`)
  const at = parts.findIndex((part) => ['tree', 'blob', 'resolve', 'commit'].includes(part))
  if (at < 1) return parts.join('/')
  const [kind, revision = 'main', ...path] = parts.slice(at)
  if (kind === 'tree' && path.length > 0) throw refuse('a folder of a repository is not opened by itself')
  return `${parts.slice(0, at).join('/')}@${decodeURIComponent(revision)}`
}
