/** A checkpoint with quantised weights as one with plain weights: its tensors, and a config that is true of them. */
import type { RepoFiles, TensorSource } from '#core'
import { readJsonFields } from '#files/formats'
import type { ModelParts } from '#model/checkpoint'
import { dequantised, describeQuantisation, plainConfig, readQuantisation } from '#model/quantised'
import { readConfig } from './config-of.ts'
import { withTexts } from './with-texts.ts'

/** What a folder of AutoGPTQ says in a file of its own, where its config.json is silent. */
const gptqFile = 'quantize_config.json'

/** Both as they are where weights are plain. Throws what reading the config and `dequantised` throw. */
export async function plainParts(
  body: RepoFiles,
  tensors: TensorSource,
): Promise<Pick<ModelParts, 'body' | 'tensors' | 'notices'>> {
  const config = await plainOrLater(body, tensors)
  const quantisation = readQuantisation(config, `${body.name}/config.json`)
  if (quantisation === undefined) return { body, tensors }
  return {
    body: withTexts(body, new Map([['config.json', JSON.stringify(plainConfig(config))]])),
    tensors: await dequantised(tensors, quantisation),
    notices: [`${body.name}: ${describeQuantisation(quantisation)}`],
  }
}

/** Config.json, with `quantize_config.json` where only that says that a folder holds GPTQ's tensors. */
async function plainOrLater(body: RepoFiles, tensors: TensorSource): Promise<Record<string, unknown>> {
  const config = await readConfig(body)
  const isSilent = config['quantization_config'] === undefined && config['compression_config'] === undefined
  if (!isSilent || !tensors.names().some((name) => name.endsWith('.qweight')) || !(await body.has(gptqFile)))
    return config
  return { ...config, quantization_config: { ...(await readJsonFields(body, gptqFile))?.fields, quant_method: 'gptq' } }
}
