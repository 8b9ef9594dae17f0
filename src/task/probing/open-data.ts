/** `--data`: what probes are trained on, by its name. Data sets are read one at a time. */
import { basename, resolve } from 'node:path'
import { fault, suggestNearest } from '#core'
import { openRepo, type OpenRepoOptions } from '#files/hub'
import { buildPairs, pairFiles, pairRepoFiles } from './build-pairs.ts'
import { buildSentEval, sentEvalFiles } from './build-senteval.ts'
import { buildTreebank } from './build-treebank.ts'
import type { ProbeDataSet } from './data-set.ts'
import { treebankFiles } from './read-sentences.ts'
import { holmesFolders, readHolmesFolder } from './read-holmes.ts'

export interface ProbeCollection {
  /** The version that result files carry: `holmes`, `blimp`, … */
  readonly name: string
  /** One after another, so that only one is in memory. */
  dataSets(): AsyncGenerator<ProbeDataSet>
}

const blimpOnHub = 'nyu-mll/blimp'

/** Sources that stand before a folder. */
export const probeSources = ['blimp', 'zorro', 'ud', 'senteval'] as const
type ProbeSource = (typeof probeSources)[number]

/**
 * Opens probing data: a FOLDER of Holmes, `blimp` from the hub, or `blimp:FOLDER`, `zorro:FOLDER`, `ud:FOLDER`,
 * `senteval:FOLDER`. Data sets come one after another, so that only one is in memory. Throws `usage.value` for a source
 * without its folder, `file.missing`, the hub's faults.
 *
 * @example
 * ```ts
 * import { openProbeData } from 'strata-lm/probing'
 *
 * for await (const { name, taskType, instances } of (await openProbeData('blimp:blimp')).dataSets())
 *   console.log(name, taskType, instances.length) // → blimp-agreement SENTENCE 40
 * ```
 */
export async function openProbeData(
  text: string,
  transfer: Pick<OpenRepoOptions, 'signal' | 'onProgress'> = {},
): Promise<ProbeCollection> {
  const [, named, folder] = /^(blimp|zorro|ud|senteval)(?::(.*))?$/.exec(text) ?? []
  const source = named as ProbeSource | undefined
  if (source === 'blimp' && folder === undefined) {
    const files = await pairRepoFiles(await openRepo(blimpOnHub, { type: 'dataset', ...transfer }))
    return { name: source, dataSets: () => each(files, (file) => buildPairs(file, source)) }
  }
  if (source !== undefined && (folder === undefined || folder === ''))
    throw fault('usage.value', {
      place: '--data',
      what: `the folder of the files of ${source} is not given`,
      seen: text,
      wanted: `${source}:FOLDER`,
      hint: downloads[source],
    })
  if (source === undefined || folder === undefined) {
    const [, kind] = /^([a-z]\w+):/i.exec(text) ?? []
    if (kind !== undefined)
      throw fault('usage.value', {
        place: '--data',
        what: 'no such source of probing data',
        seen: kind,
        wanted: probeSources.map((one) => `${one}:FOLDER`).join(', '),
        hint: suggestNearest(kind, probeSources),
      })
    const folders = await holmesFolders(text)
    return { name: basename(resolve(text)), dataSets: () => each(folders, readHolmesFolder) }
  }
  switch (source) {
    case 'blimp':
    case 'zorro': {
      const files = await pairFiles(folder, source)
      return { name: source, dataSets: () => each(files, (file) => buildPairs(file, source)) }
    }
    case 'senteval': {
      const files = await sentEvalFiles(folder)
      return { name: source, dataSets: () => each(files, buildSentEval) }
    }
    case 'ud':
      await treebankFiles(folder)
      return {
        name: source,
        async *dataSets() {
          yield* await buildTreebank(folder)
        },
      }
    default:
      throw fault('internal', { place: '--data', what: 'no such source', seen: source satisfies never })
  }
}

const downloads: Readonly<Record<ProbeSource, string>> = {
  blimp: 'the folder data of github.com/alexwarstadt/blimp',
  zorro: 'the folder sentences/babyberta of github.com/phueb/Zorro',
  ud: 'a treebank of universaldependencies.org',
  senteval: 'the folder data/probing of github.com/facebookresearch/SentEval',
}

async function* each<Source>(
  sources: readonly Source[],
  read: (source: Source) => Promise<ProbeDataSet>,
): AsyncGenerator<ProbeDataSet> {
  for (const source of sources) yield await read(source)
}
