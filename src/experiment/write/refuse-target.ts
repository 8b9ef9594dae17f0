/** Refuses invalid output folders. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fault, type RepoFiles } from '#core'

/** Throws `usage.conflict` for an output inside an input, or around one: it would be read while it is written. */
export async function refuseInputAsTarget(
  inputs: readonly { readonly model: string; readonly files: RepoFiles }[],
  target: string,
): Promise<void> {
  const wanted = await realPath(target)
  for (const { model, files } of inputs) {
    const local = await files.local('config.json').catch(() => undefined)
    if (local === undefined) continue
    // Both the folder of the real file and the one it is linked from; a hub name is not a path.
    const named = await realpath(files.name).catch(() => undefined)
    for (const own of [dirname(await realPath(local)), ...(named === undefined ? [] : [named])]) {
      if (wanted === own || wanted.startsWith(own + sep) || own.startsWith(wanted + sep)) {
        throw fault('usage.conflict', {
          place: target,
          what: 'the target is inside an input, or an input inside the target',
          seen: model,
          hint: 'name another folder',
        })
      }
    }
  }
}

/** Throws `usage.conflict` when two outputs share a folder, or one is inside the other. */
export async function refuseSharedTarget(targets: readonly string[]): Promise<void> {
  const paths = await Promise.all(targets.map(realPath))
  for (const [i, one] of paths.entries())
    for (const [j, other] of paths.entries())
      if (i < j && (one === other || one.startsWith(other + sep) || other.startsWith(one + sep)))
        throw fault('usage.conflict', {
          place: targets[j] ?? '',
          what: 'two outputs would share a folder',
          seen: targets[i],
          hint: 'rename one of the recipes',
        })
}

/** The path with links resolved as far as it exists. */
async function realPath(path: string): Promise<string> {
  const full = resolve(path)
  if (dirname(full) === full) return full
  return realpath(full).catch(async () => join(await realPath(dirname(full)), basename(full)))
}
