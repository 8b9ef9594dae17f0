/** The tokenizer's files, with the length of input that the representation was read with. */
import { isObject, parseJson } from '#files/formats'

const settingsFile = 'tokenizer_config.json'

/** Libraries cut texts at the tokenizer's `model_max_length` where nothing else says it. */
export function tokenizerFilesFor(
  files: ReadonlyMap<string, Uint8Array>,
  { maxLength }: { readonly maxLength: number },
): Map<string, string | Uint8Array> {
  const out = new Map<string, string | Uint8Array>(files)
  const written = files.get(settingsFile)
  const settings = written === undefined ? undefined : parseJson(new TextDecoder().decode(written), settingsFile)
  if (isObject(settings))
    out.set(settingsFile, `${JSON.stringify({ ...settings, model_max_length: maxLength }, undefined, 2)}\n`)
  return out
}
