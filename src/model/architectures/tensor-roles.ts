/**
 * What each tensor of a checkpoint is: as the family's own table of names says, and for families and tensors it does
 * not know as the name suggests.
 */
import { isObject } from '#files/formats'
import type { Family } from './family.ts'
import { findFamily } from './find-family.ts'
import { slotSpellings, type SlotSpellings } from './slot-names.ts'
import type { Slot } from './spec.ts'
import { towerNames, textPart, textSection } from './text-part.ts'
import {
  isBuffer,
  layerOf,
  type LayerName,
  namesConv1d,
  namesEnd,
  namesHead,
  namesHeadBias,
  namesOtherEmbedding,
  namesTaskHead,
  namesTokenEmbedding,
} from './tensor-names.ts'

export type TensorKind = 'token-embedding' | 'embedding' | 'head' | 'head-bias' | 'mlp' | 'buffer'

export interface TensorRole {
  /** In the family's table; undefined for a family or a tensor that is not known. */
  readonly slot: Slot | undefined
  readonly kind: TensorKind | undefined
  readonly layer: LayerName | undefined
  /** Place relative to the layers: embeddings come from a recipe's first slice, final norm and heads from its last. */
  readonly side: 'before' | 'within' | 'after'
  /** The weight lies as [in × out]: GPT-2's Conv1D. */
  readonly inOut: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** `names`: all tensors of the checkpoint, by which the family's prefix is found. */
export function tensorRoles(config: Fields, names: readonly string[]): (name: string) => TensorRole {
  const family = spellingsOf(config, names)
  const known = new Map<string, TensorRole>()
  const roleOf = (name: string): TensorRole => {
    const slot = family?.slotOf(name)
    const byName = roleByName(name)
    if (family === undefined || slot === undefined)
      return family?.linear === 'in-out' && namesConv1d(name) ? { ...byName, inOut: true } : byName
    return {
      slot,
      kind: kinds[slot] ?? (slot.startsWith('block.mlp.') ? 'mlp' : undefined),
      layer: byName.layer,
      side: byName.layer === undefined ? sideOf(slot) : 'within',
      inOut: family.linear === 'in-out' && conv1d.has(slot) && name.endsWith('.weight'),
    }
  }
  return (name) => {
    const role = known.get(name) ?? roleOf(name)
    known.set(name, role)
    return role
  }
}

/** Name of a model's head, for one that is tied and so not stored. */
export function headName(config: Fields, names: readonly string[], slot: Slot = 'head.causal'): string {
  const found = spellingsOf(config, names)?.spellings(slot, {}, 'weight')
  return found?.[0] ?? 'lm_head.weight'
}

/** Which names belong to other towers than the one that reads text, heads left out. */
export function otherTowers(config: Fields, names: readonly string[]): (name: string) => boolean {
  const found = textPart(config).wrapped ? spellingsOf(config, names) : undefined
  return (name) => found !== undefined && !name.startsWith(found.prefix) && found.slotOf(name) === undefined
}

function spellingsOf(
  config: Fields,
  names: readonly string[],
): (SlotSpellings & { readonly linear: Family['linear'] }) | undefined {
  const family = findFamily(config) ?? findFamily(textConfig(config))
  return family === undefined
    ? undefined
    : { ...slotSpellings(towerNames(family, textPart(config).wrapped), names), linear: family.linear }
}

/** The role that follows from a name alone. */
export function roleByName(name: string): TensorRole {
  const layer = layerOf(name)
  const outside = namesEnd(name) ? 'after' : 'before'
  const side = layer !== undefined ? 'within' : outside
  return { slot: undefined, kind: kindByName(name, layer), layer, side, inOut: false }
}

function kindByName(name: string, layer: LayerName | undefined): TensorKind | undefined {
  if (isBuffer(name)) return 'buffer'
  if (namesOtherEmbedding(name)) return 'embedding'
  if (layer !== undefined) return layer.rest.startsWith('.mlp.') ? 'mlp' : undefined
  if (namesTokenEmbedding(name)) return 'token-embedding'
  if (namesHead(name)) return 'head'
  return namesHeadBias(name) ? 'head-bias' : undefined
}

/** Whether a tensor is part of what a task puts on top of a model: layers for classes, for tokens, for answers. */
export function belongsToHead({ slot, layer }: TensorRole, name: string): boolean {
  return slot === undefined ? layer === undefined && namesTaskHead(name) : slot.startsWith('head.')
}

const kinds: Readonly<Partial<Record<Slot, TensorKind>>> = {
  'embed.token': 'token-embedding',
  'embed.position': 'embedding',
  'embed.type': 'embedding',
  'relative.bias': 'embedding',
  'relative.table': 'embedding',
  'block.attention.distance': 'embedding',
  'head.causal': 'head',
  'head.masked.decoder': 'head',
  'head.causal.bias': 'head-bias',
  'head.masked.bias': 'head-bias',
}

/** Slots that are Conv1D where a family has it. */
const conv1d: ReadonlySet<Slot> = new Set([
  'block.attention.qkv',
  'block.attention.out',
  'block.mlp.in',
  'block.mlp.out',
])

function sideOf(slot: Slot): 'before' | 'after' {
  return /^(final|pooler|head)\b/.test(slot) ? 'after' : 'before'
}

/** The language model's fields in the config of a model with several towers. */
export function textConfig(config: Fields): Fields {
  const section = textSection(config)
  if (section !== undefined) return section
  const text = config['text_config']
  return typeof text === 'object' && text !== null && !Array.isArray(text) ? (text as Fields) : {}
}

/** Rows that a config promises its embedding. */
export function vocabularyRows(config: Fields): number | undefined {
  const { fields } = textPart(config)
  const size = (isObject(fields) ? fields['vocab_size'] : undefined) ?? textConfig(config)['vocab_size']
  return typeof size === 'number' ? size : undefined
}

/** Whether a tensor has one row for each token: embeddings, heads, and the heads' biases. */
export function hasVocabularyRows({ kind }: TensorRole, shape: readonly number[], rows: number | undefined): boolean {
  if (rows === undefined || shape[0] === undefined || shape[0] < rows) return false
  return kind === 'token-embedding' || kind === 'head' || (kind === 'head-bias' && shape.length === 1)
}
