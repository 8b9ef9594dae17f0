/** Tensors of a GGUF file under their family's names, with what llama.cpp's converter changed put back. */
import { dtypeBytes, fault, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { missingTensor, readFloat32 } from '#files/formats'
import type { Architecture, Change, Sizes } from './architectures.ts'

interface Renamed {
  readonly stored: string
  readonly info: TensorInfo
  readonly change: Change | undefined
  /** Heads in the rows of a projection to queries or keys. */
  readonly heads: number
}

/** Factors of rotary positions, which are in the config by now. */
const inConfig = new Set(['rope_freqs', 'rope_factors_long', 'rope_factors_short'])

/** Throws `config.unsupported` for a tensor that has no place in the architecture, `tensor.shape`. */
export function renamedSource(source: TensorSource, architecture: Architecture, sizes: Sizes): TensorSource {
  const renamed = new Map(
    source.names().flatMap((stored) => {
      const found = rename(source, stored, architecture, sizes)
      return found === undefined ? [] : [[found.info.name, found] as const]
    }),
  )
  return {
    name: source.name,
    names: () => [...renamed.keys()],
    info: (name) => renamed.get(name)?.info,
    async read(name) {
      const one = renamed.get(name)
      if (one === undefined) throw missingTensor(source.name, name)
      if (one.change === 'rotary-rows') return inHalves(await source.read(one.stored), one)
      if (one.change === 'plus-one')
        return new Uint8Array((await readFloat32(source, one.stored)).map((value) => value - 1).buffer)
      return source.read(one.stored)
    },
    locate(name) {
      const one = renamed.get(name)
      return one === undefined || one.change !== undefined ? undefined : source.locate(one.stored)
    },
    identity: async () => fingerprint({ gguf: await source.identity(), as: architecture.modelType }),
    close: () => source.close(),
  }
}

function rename(
  source: TensorSource,
  stored: string,
  { outside, block, prefix, change: changeOf }: Architecture,
  { heads, keyHeads }: Sizes,
): Renamed | undefined {
  const [, layer, leaf = '', kind] = /^(?:blk\.(\d+)\.)?([a-z_]+)\.(weight|bias)$/.exec(stored) ?? []
  if (layer === undefined && inConfig.has(leaf)) return undefined
  const names = layer === undefined ? outside : block
  const plain = Object.hasOwn(names, leaf) ? names[leaf] : undefined
  const info = source.info(stored)
  if (plain === undefined || info === undefined)
    throw fault('config.unsupported', {
      place: `${source.name}: ${stored}`,
      what: 'the architecture has no place for this tensor',
    })
  const name = `${layer === undefined ? '' : prefix.replace('{i}', String(Number(layer)))}${plain}.${kind}`
  const change = changeOf(leaf)
  const ownHeads = leaf === 'attn_q' ? heads : keyHeads
  if (change === 'rotary-rows' && (info.shape[0] ?? 0) % (2 * ownHeads) !== 0)
    throw fault('tensor.shape', {
      place: `${source.name}: ${stored}`,
      what: 'rows that are not two per head',
      seen: info.shape,
      wanted: `a multiple of ${2 * ownHeads}`,
    })
  const dtype = change === 'plus-one' ? 'F32' : info.dtype
  const count = info.byteLength / dtypeBytes(info.dtype)
  return {
    stored,
    info: { ...info, name, dtype, byteLength: count * dtypeBytes(dtype) },
    change,
    heads: ownHeads,
  }
}

/** Rows (2i, 2i + 1) of each head to (i, i + half). */
function inHalves(bytes: Uint8Array, { info, heads }: Renamed): Uint8Array {
  const [rows = 0] = info.shape
  const rowBytes = rows === 0 ? 0 : bytes.length / rows
  const out = new Uint8Array(bytes.length)
  const half = rows / heads / 2
  for (let row = 0; row < rows; row++) {
    const within = row % (2 * half)
    const from = row - within + (within < half ? 2 * within : 2 * (within - half) + 1)
    out.set(bytes.subarray(from * rowBytes, (from + 1) * rowBytes), row * rowBytes)
  }
  return out
}
