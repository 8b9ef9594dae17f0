/** `strata encode`: texts or token ids → vectors of any layer. */
import { encodeIds, encodeLines, encodeTexts, encodeTextTokens, type TextRow } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { readTexts } from '#files/tables'
import { fault, quantity } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import { type Representation, representationName, representationsNamed, statesNamed } from '#representation/layers'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { column } from '../../flags/corpus.ts'
import { prompt, promptName } from '../../flags/reading.ts'
import { refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import { type Flags, chat, inputIds as idsFlag, limit, paddingSide, prefix } from './flags.ts'
import { modelOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async ([reference = '', ...files], flags, terminal) => {
  const { inputIds } = flags
  if (inputIds !== undefined && files.length > 0)
    throw fault('usage.conflict', {
      place: '--input-ids',
      what: 'cannot be combined with files of texts',
      seen: files,
      hint: 'give one of the two',
    })
  refuseWithout(flags, idsFlag, [prefix])
  if (inputIds !== undefined)
    refuseFlags(flags, [column, chat, prompt, promptName, limit], {
      what: 'has no effect on --input-ids, which are taken as they are',
      hint: 'leave one of them out',
    })
  else if (flags.tokens !== true && flags.logits !== true)
    refuseFlags(flags, [paddingSide], { what: 'has no effect on pooled vectors', hint: 'add --tokens or --logits' })
  // Token states are compared with the reference's, which norms only the last one; for embeddings every state is
  // normed.
  const finalNorm = flags.finalNorm ?? (flags.tokens === true ? 'native' : undefined)
  const model = await openModel(reference, modelOptions({ ...flags, finalNorm }, terminal))
  try {
    const states = await statesIn(flags, model)
    if (flags.dryRun === true) return await dryRun(model, states, flags, terminal)
    const out = flags.out ?? fail()
    const shared = {
      out,
      states,
      signal: terminal.signal,
      onProgress: terminal.progress,
      limit: flags.limit,
    }
    const tokenOptions = {
      ...shared,
      states: 'kind' in states ? ('default' as const) : states,
      tokens: flags.tokens === true,
      logits: flags.logits === true,
      paddingSide: flags.paddingSide,
    }
    if (inputIds !== undefined || flags.tokens === true || flags.logits === true) {
      const done =
        inputIds === undefined
          ? await encodeTextTokens(model, texts(files, flags), tokenOptions)
          : await encodeIds(model, inputIds, { ...tokenOptions, prefix: flags.prefix })
      if (flags.json === true) terminal.print(JSON.stringify(done))
      else
        terminal.print(
          `${done.rows} × ${quantity(done.cols, 'token')} → ${done.out}: ${done.tensors.map(({ name, shape }) => `${name} [${shape.join(', ')}]`).join(', ')}`,
        )
      return 0
    }
    if (out === '-') {
      for await (const line of encodeLines(model, texts(files, flags), shared)) terminal.print(line)
      return 0
    }
    const done = await encodeTexts(model, texts(files, flags), shared)
    if (flags.json === true) terminal.print(JSON.stringify(done))
    else
      terminal.print(
        `${quantity(done.rows, 'text')}${done.resumed > 0 ? ` (${done.resumed.toLocaleString('en')} already done)` : ''} → ${done.out}: ${done.slots.map(({ name, width }) => `${name} [${done.rows}, ${width}]`).join(', ')}`,
      )
    return 0
  } finally {
    await model.close()
  }
}

function fail(): never {
  throw fault('usage.value', {
    place: '--out',
    what: 'no output is given',
    hint: 'give --out vectors.npy (or .safetensors, .parquet, .jsonl), or - for JSON lines on standard output',
  })
}

async function* texts(files: readonly string[], { column }: Flags): AsyncGenerator<readonly TextRow[]> {
  const sources = files.length === 0 ? ['-'] : files
  for (const path of sources)
    yield* readTexts(path === '-' ? { kind: 'stdin', column } : { kind: 'file', path, column })
}

/** Layers, or the one requested representation. */
async function statesIn(
  { representation, layers, tokens, logits, inputIds }: Flags,
  model: Model,
): Promise<readonly number[] | Representation> {
  if (representation !== undefined && layers !== undefined)
    throw fault('usage.conflict', {
      place: '--representation',
      what: 'cannot be combined with --layers',
      hint: 'give one of the two',
    })
  if (layers !== undefined) return statesNamed(layers, statesOf(model).count)
  const names = representation ?? ['default']
  const [one, ...more] = await representationsNamed(names, model)
  if (one === undefined || more.length > 0)
    throw fault('usage.value', {
      place: '--representation',
      what: 'a file holds the vectors of only one representation',
      seen: names,
    })
  const ofTokens = tokens === true || logits === true || inputIds !== undefined
  if (one.kind !== 'default' && ofTokens)
    throw fault('usage.conflict', {
      place: '--representation',
      what: 'a representation is one vector per text, not per token',
      seen: names,
      hint: 'name hidden states with --layers',
    })
  return one
}

async function dryRun(
  model: Model,
  states: readonly number[] | Representation,
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const plan = {
    model: model.name,
    states: 'kind' in states ? representationName(states) : states,
    settings: model.settings,
    memoryBytes: await model.memoryBytes(),
    out: flags.out ?? null,
  }
  if (flags.json === true) terminal.print(JSON.stringify(plan))
  else {
    terminal.print(`${plan.model} → ${statesText(states)}`)
    terminal.print(
      `pooling ${model.settings.pooling.join('+') || 'static'}, at most ${model.settings.maxLength} tokens, final norm ${model.settings.finalNorm}`,
    )
    terminal.print(`memory ≤ ${Math.ceil(plan.memoryBytes / 1e6)} MB`)
  }
  return 0
}

function statesText(states: readonly number[] | Representation): string {
  if (!('kind' in states)) return `states ${states.join(', ')}`
  return states.kind === 'default' ? 'its own embedding' : representationName(states)
}
