/** Whether a run would find all of its output on disk, without encoding a text or training a probe. */
import { existsSync } from 'node:fs'
import { fingerprint } from '#core'
import { choosePrompt, type Model } from '#model/checkpoint'
import { reusableResult, type StoredResult } from '#result/ledger'
import type { ProbeCollection } from '#task/probing'
import { selectDataSets, listControls, type ProbeOptions } from './options.ts'
import { portionOf } from './portion.ts'
import { provenance } from './write-results.ts'
import { probeTables } from './write-tables.ts'

/**
 * True where the ledger has every data set at every layer as a run would produce it now – the same model, data and
 * settings – with the requested controls, and the work folder has the tables. Throws what reading the data throws.
 */
export async function isProbed(model: Model, collection: ProbeCollection, options: ProbeOptions): Promise<boolean> {
  const { outputFolder, workFolder = outputFolder, layers, settings, seeds } = options
  if (!Object.values(probeTables(workFolder, collection.name)).every((path) => existsSync(path))) return false
  const prompt = choosePrompt(model.prompts)
  let any = false
  for await (const whole of selectDataSets(collection, options)) {
    const data = fingerprint(portionOf(whole, settings.portion))
    for (const layer of layers) {
      const about = await provenance(model, whole.name, layer, { settings, seeds, prompt, data })
      const place = { ...about, root: outputFolder }
      const result = await reusableResult(place, whole.name, about.fingerprint)
      if (result === undefined || !hasControls(result, options)) return false
    }
    any = true
  }
  return any
}

/** Controls do not move the score on unchanged data, and are not part of its fingerprint. */
function hasControls({ scores }: StoredResult, options: ProbeOptions): boolean {
  const there = scores?.['test']?.[0]?.['controls'] ?? {}
  return listControls(options).every((control) => control === 'none' || Object.hasOwn(there, control))
}
