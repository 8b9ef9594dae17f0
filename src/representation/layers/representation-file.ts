/**
 * A combination of layers as a file: a JSON document that says whose layers are mixed and how, the basis of a
 * projection next to it in safetensors.
 */
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fault, fingerprint, matrix } from '#core'
import { openTensors, parseWith, readFloat32, writeSafetensors, zod, type Zod } from '#files/formats'
import { fileHash, makeFolder, pathName, writeWhole } from '#platform/disk'
import {
  type Basis,
  combinationOf,
  type CombinationRepresentation,
  layerNorms,
  layersOf,
  type Mix,
} from './combination.ts'
import { type Model, requireSplade, statesOf } from '#model/checkpoint'
import { openRepresentation } from './open-representation.ts'
import { type Representation, representationNamed } from './representation.ts'
import { readSize, splitName } from './size.ts'
import { checkDimensions } from './sized-embedder.ts'
import { poolings } from '#model/passes'

/** Raised when a reader of older files would read a newer one wrongly. */
const fileVersion = 1

/**
 * Writes a mix as `<folder>/<name>.json`, a representation file that every command takes, and returns its path. Throws
 * `file.write`.
 *
 * @example
 * ```ts
 * import { combinationOf, encode, openModel, writeRepresentation } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * const mix = combinationOf('mine', {
 *   mix: { kind: 'sum', weights: Float64Array.of(0, 0, 0, 0.5, 0.5, 0) },
 *   about: {},
 * })
 * const path = await writeRepresentation('representations', model, mix)
 * const { rows } = await encode(model, ['Once upon a time'], { representation: path })
 * console.log(path, rows) // → representations/mine-27af1453.json 1
 * await model.close()
 * ```
 */
export async function writeRepresentation(
  folder: string,
  model: Model,
  representation: CombinationRepresentation,
): Promise<string> {
  const { name, mix, layerNorm, pooling, about } = representation
  const states = statesOf(model)
  await makeFolder(folder)
  const document = {
    strata_representation: fileVersion,
    name,
    model: model.name,
    revision: await model.revision(),
    model_hash: await hashOf(model),
    states: states.count,
    pooling: pooling ?? null,
    reading: readingOf(model),
    layer_norm: layerNorm,
    mix:
      mix.kind === 'sum'
        ? { kind: 'sum', weights: Object.fromEntries(layersOf(mix).map((h) => [h, mix.weights[h]])) }
        : await writtenProjection(folder, name, mix),
    combination: about,
  }
  const path = join(folder, `${pathName(name)}.json`)
  await writeWhole(path, `${JSON.stringify(document, null, 2)}\n`)
  return path
}

async function writtenProjection(
  folder: string,
  name: string,
  { blocks, width, source, basis }: Mix & { kind: 'projection' },
): Promise<object> {
  const { mean, components } = await basis()
  const tensors = `${pathName(name)}.safetensors`
  await writeSafetensors(join(folder, tensors), [
    { name: 'mean', dtype: 'F32', shape: [mean.length], bytes: bytesOf(mean) },
    { name: 'components', dtype: 'F32', shape: [components.rows, components.width], bytes: bytesOf(components.data) },
  ])
  return { kind: 'projection', blocks, width, source, tensors, sha256: await fileHash(join(folder, tensors)) }
}

/**
 * Throws `representation.unknown` for a file of another model, `usage.conflict` for states that are read otherwise than
 * those it was found on, `usage.value` for one that is damaged, `tensor.*` and `format.*` for its tensors.
 */
export async function readRepresentation(path: string, model: Model): Promise<CombinationRepresentation> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the representation file cannot be read', cause })
  })
  const document = parseWith(documentSchema(), text, 'json', path)
  const states = statesOf(model)
  if (document.states !== states.count || document.model_hash !== (await hashOf(model))) {
    throw fault('representation.unknown', {
      place: path,
      what: `this representation is of another model, ${document.model} (${document.states} states)`,
      seen: `${model.name} (${states.count} states)`,
      hint: 'a mix of layers is meaningful only for the weights it was found on',
    })
  }
  const reading = readingOf(model)
  for (const name of ['pooling', 'final_norm'] as const)
    if (reading[name] !== document.reading[name] && (name !== 'pooling' || document.pooling === null))
      throw fault('usage.conflict', {
        place: path,
        what: `the mix was found on states read with another ${name === 'pooling' ? 'pooling' : 'final norm'}`,
        seen: reading[name],
        wanted: document.reading[name],
        hint: `--${name.replace('_', '-')} ${document.reading[name]}`,
      })
  const representation = combinationOf(methodOf(document.name), {
    mix: await mixIn(document.mix, states.count, path),
    layerNorm: document.layer_norm,
    pooling: document.pooling ?? undefined,
    about: document.combination,
  })
  if (representation.name === document.name) return representation
  throw fault('usage.value', {
    place: path,
    what: 'the name does not fit the contents: the file was changed by hand',
    seen: document.name,
    wanted: representation.name,
  })
}

/**
 * Representations by name: `default`, `h3`, `h-1`, `h3-cls`, `mean:2-4`, or the path of a representation file; behind
 * it the number of leading dimensions, a type, or both (`h3:128`, `default:binary`, `default:256:int8`). Throws
 * `representation.unknown`, `usage.value` for a mean of a single layer, and what reading the file throws.
 *
 * @example
 * ```ts
 * import { openModel, representationName, representationsNamed } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * const found = await representationsNamed(['default', 'h-1', 'mean:2-4'], model)
 * console.log(found.map(representationName)) // → [ 'default', 'h5', 'mean-39264415' ]
 * await model.close()
 * ```
 */
export async function representationsNamed(names: readonly string[], model: Model): Promise<Representation[]> {
  return Promise.all(names.map((name) => oneNamed(name, model)))
}

/** A vector cut to all of its numbers is the vector itself. */
async function oneNamed(name: string, model: Model): Promise<Representation> {
  const { whole, rest } = splitName(name)
  const { dimensions, ...coded } = readSize(rest, name)
  const { type } = coded
  if (model.server !== undefined && whole !== 'default')
    throw fault('representation.unknown', {
      place: `--representation ${name}`,
      what: 'a server gives vectors, and none of its layers',
      seen: whole,
      wanted: 'default, with a size or a type behind it',
      hint: `strata serve gives a layer to whoever names it: model=NAME#${whole} in --model_args`,
    })
  const of = isFile(whole)
    ? await readRepresentation(whole, model)
    : representationNamed(whole, model.states?.count ?? 0)
  if (of.kind === 'splade') requireSplade(model)
  if (of.kind === 'tokens') {
    if (rest.length === 0) return of
    throw fault('representation.unknown', {
      place: `--representation ${name}`,
      what: 'vectors of tokens have no size and no type of their own',
      wanted: whole,
    })
  }
  if (dimensions === undefined) return type === 'float32' ? of : { kind: 'sized', of, ...coded }
  const { width } = await openRepresentation(model, of, { keep: 'all' })
  checkDimensions(dimensions, width, `--representation ${name}`)
  if (dimensions < width) return { kind: 'sized', of, dimensions, ...coded }
  return type === 'float32' ? of : { kind: 'sized', of, ...coded }
}

/**
 * Throws `representation.unknown` for a word that names no representation of any model, before one is opened. A path is
 * of a file.
 */
export function checkRepresentationName(name: string): void {
  const { whole, rest } = splitName(name)
  readSize(rest, name)
  if (!isFile(whole)) representationNamed(whole, mostStates)
}

/** More than any model has: whether one has the state shows when it is opened. */
const mostStates = 1_000_000

function isFile(name: string): boolean {
  return name.endsWith('.json') || /[/\\]/.test(name)
}

type Document = ReturnType<ReturnType<typeof makeSchema>['parse']>

let made: ReturnType<typeof makeSchema> | undefined

function documentSchema(): ReturnType<typeof makeSchema> {
  made ??= makeSchema(zod())
  return made
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
function makeSchema(z: Zod) {
  const layer = z.number().int().min(0)
  const finite = z.number()
  return z.strictObject({
    strata_representation: z.literal(fileVersion),
    name: z.string(),
    model: z.string(),
    revision: z.string(),
    model_hash: z.string(),
    states: z.number().int().min(1),
    pooling: z.enum(poolings).nullable(),
    reading: z.strictObject({ pooling: z.string(), final_norm: z.string() }),
    layer_norm: z.enum(layerNorms),
    mix: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('sum'), weights: z.record(z.string().regex(/^\d+$/), finite) }),
      z.strictObject({
        kind: z.literal('projection'),
        blocks: z.array(z.strictObject({ layers: z.array(layer).min(1), factor: finite })).min(1),
        width: z.number().int().min(1),
        source: z.string(),
        tensors: z.string(),
        sha256: z.string(),
      }),
    ]),
    combination: z.record(z.string(), z.unknown()),
  })
}

async function mixIn(mix: Document['mix'], states: number, path: string): Promise<Mix> {
  switch (mix.kind) {
    case 'sum': {
      const weights = new Float64Array(states)
      for (const [h, weight] of Object.entries(mix.weights)) {
        if (Number(h) >= states)
          throw fault('representation.unknown', {
            place: path,
            what: 'a weight of a state that the model does not have',
            seen: h,
            wanted: `0 … ${states - 1}`,
          })
        weights[Number(h)] = weight
      }
      return { kind: 'sum', weights }
    }
    case 'projection': {
      // names in a file may not lead out of its folder
      const tensors = join(dirname(path), basename(mix.tensors))
      const seen = await fileHash(tensors)
      if (seen !== mix.sha256)
        throw fault('tensor.value', {
          place: tensors,
          what: 'is not the basis that the representation file was written with',
          seen,
          wanted: mix.sha256,
        })
      const basis = await readBasis(tensors, mix.width)
      return {
        kind: 'projection',
        blocks: mix.blocks,
        width: mix.width,
        source: mix.source,
        basis: () => Promise.resolve(basis),
      }
    }
    default:
      return mix satisfies never
  }
}

async function readBasis(path: string, width: number): Promise<Basis> {
  const source = await openTensors(path)
  try {
    const mean = await readFloat32(source, 'mean')
    const components = await readFloat32(source, 'components')
    if (components.length !== width * mean.length)
      throw fault('tensor.shape', {
        place: path,
        what: 'components do not fit the mean',
        seen: components.length,
        wanted: [width, mean.length],
      })
    return { mean, components: matrix(width, mean.length, components) }
  } finally {
    await source.close()
  }
}

/** How the states are read that the mix is of. */
function readingOf({ settings: { pooling, finalNorm } }: Model): {
  readonly pooling: string
  readonly final_norm: string
} {
  return { pooling: pooling.join('+'), final_norm: finalNorm }
}

/** What a mix was found on: weights, wiring and tokenizer, not how they are read. */
async function hashOf(model: Model): Promise<string> {
  const { tensors, spec, tokenizer } = await model.identity()
  return fingerprint({ tensors, spec, tokenizer })
}

/** A name without its hash. */
function methodOf(name: string): string {
  return name.replace(/-[0-9a-f]{8}$/, '')
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
