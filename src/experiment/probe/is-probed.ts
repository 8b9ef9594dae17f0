/** Whether a run would find everything that it is to write: no text is encoded and no probe trained. */
import { existsSync } from 'node:fs'
import { fingerprint } from '#core'
import { choosePrompt, type Model } from '#model/checkpoint'
import { reusableResult, type StoredResult } from '#result/ledger'
import type { ProbeCollection } from '#task/probing'
import { asked, controlsOf, type ProbeOptions } from './asked.ts'
import { portionOf } from './portion.ts'
import { provenance } from './write-results.ts'
import { probeTables } from './write-tables.ts'

/**
 * True where the ledger holds every data set at every layer as it would come out now – the same model, data and settings
 * – with the controls that are asked, and the tables lie in the work folder. Throws what reading the data throws.
 */
export async function isProbed(model: Model, collection: ProbeCollection, options: ProbeOptions): Promise<boolean> {
  const { outputFolder, workFolder = outputFolder, layers, settings, seeds } = options
  if (!Object.values(probeTables(workFolder, collection.name)).every((path) => existsSync(path))) return false
  const prompt = choosePrompt(model.prompts)
  let any = false
  for await (const whole of asked(collection, options)) {
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

/** Controls move no score of the data as it is, and are no part of its fingerprint. */
function hasControls({ scores }: StoredResult, options: ProbeOptions): boolean {
  const there = scores?.['test']?.[0]?.['controls'] ?? {}
  return controlsOf(options).every((control) => control === 'none' || Object.hasOwn(there, control))
}
