/** A folder whose only weights are in an ONNX graph, as `strata export --as onnx` writes it: `default` alone. */
import { deviceName, fault } from '#core'
import { loadTokenizer } from '#model/tokenizer'
import { type ModelOptions, openStoredGraph, type StoredGraph } from '#model/passes'
import { straightEmbedder } from './embedder.ts'
import type { Encoder } from './layer-vectors.ts'
import { ruleOf } from './model-rules.ts'
import { requireNoAdapter } from './adapter-choice.ts'
import type { Model } from './model.ts'
import type { ModelParts } from './parts.ts'
import { tokenRows } from './pooled-encoder.ts'
import { promptsOf } from './settings.ts'
import { tableFacts, tableModel } from './table-model.ts'

/** Longest text where the tokenizer names none, and padded tokens of a batch. */
const [usualLength, usualBudget] = [512, 1024] as const

/** The program, the engine and a batch. */
const processBytes = 400e6

export async function openOnnxModel(
  { body, tensors, name, revision, graph: files, notices = [] }: ModelParts,
  options: ModelOptions,
): Promise<Model> {
  if (files === undefined) throw fault('internal', { place: name, what: 'no graph' })
  requireNoAdapter(options, name)
  refuseReading(name, options)
  const tokenizer = await loadTokenizer(body)
  const own = tokenizer.modelMaxLength ?? usualLength
  const maxLength = options.maxLength ?? own
  const table = tableModel({ maxLength, normalize: options.normalize })
  const device = deviceName(options.device ?? 'cpu')
  const settings = { ...table.settings, graph: true as const, device }
  const prompts = promptsOf(undefined, await ruleOf(name), options)
  let opened: Promise<StoredGraph> | undefined
  const open = (): Promise<StoredGraph> => (opened ??= openStoredGraph(files, options))
  const encoder = async (): Promise<Encoder> => {
    const graph = await open()
    return {
      slots: [{ name: 'default', width: graph.width }],
      async encode(texts, prompt, { signal, onRows } = {}) {
        const rows = await tokenRows(tokenizer, texts, prompt, settings)
        const budget = options.batchTokens ?? usualBudget
        return [await graph.run(rows, { budget, padId: tokenizer.padId ?? 0, signal, onBatch: onRows })]
      },
    }
  }
  return {
    name,
    revision,
    ...table,
    settings,
    overrides: [
      ...(maxLength === own ? [] : [`len${maxLength}`]),
      ...(options.prompt === undefined && options.promptName === undefined
        ? []
        : [`prompt-${(options.prompt ?? options.promptName ?? '').replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 12)}`]),
      ...table.overrides,
      ...(device === 'cpu' ? [] : [device]),
    ],
    prompts,
    tensors,
    notices,
    async facts() {
      const { width } = await open()
      return tableFacts(tensors, {
        family: 'ONNX graph',
        modelType: 'onnx',
        width,
        vocabulary: tokenizer.vocabularySize,
      })
    },
    identity: async () => ({
      tensors: await tensors.identity(),
      spec: 'onnx',
      tokenizer: tokenizer.identity,
      modules: '',
    }),
    memoryBytes: () => Promise.resolve(processBytes),
    async embedder() {
      const one = await encoder()
      return straightEmbedder({
        representation: 'default',
        width: one.slots[0]?.width ?? 0,
        prompts,
        encoder: one,
        slot: 'default',
      })
    },
    encoder,
    async close() {
      await (await opened?.catch(() => undefined))?.close()
      await tensors.close()
    },
  }
}

/** What the graph has settled. */
function refuseReading(place: string, { pooling, finalNorm, architecture, dtype, chat }: ModelOptions): void {
  const asked = Object.entries({
    '--pooling': pooling,
    '--final-norm': finalNorm,
    '--architecture': architecture,
    '--dtype': dtype === 'float32' ? undefined : dtype,
    '--chat': chat === true ? 'a chat' : undefined,
  }).find(([, value]) => value !== undefined)
  if (asked !== undefined)
    throw fault('usage.conflict', {
      place,
      what: 'an ONNX graph is run as it was written',
      seen: asked.join(' '),
      hint: 'leave it out',
    })
}
