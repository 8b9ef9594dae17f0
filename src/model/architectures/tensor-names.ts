/** What tensor names say without any list of architectures: the layer axis, heads and embeddings that may be tied, buffers. */

export interface LayerName {
  readonly prefix: string
  readonly layer: number
  readonly rest: string
}

/** `model.layers.7.mlp.up_proj.weight` → prefix `model.layers.`, layer 7, rest `.mlp.up_proj.weight`: the first purely numeric part is the layer. */
export function layerOf(name: string): LayerName | undefined {
  const found = /^(.*?(?:^|\.))(\d+)(\..*|)$/.exec(name)
  return found === null ? undefined : { prefix: found[1] ?? '', layer: Number(found[2]), rest: found[3] ?? '' }
}

/** Prefix → number of layers below it. */
export function layerCounts(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) {
    const found = layerOf(name)
    if (found) counts.set(found.prefix, Math.max(counts.get(found.prefix) ?? 0, found.layer + 1))
  }
  return counts
}

/** Tensors behind the layers: final norm, heads, pooler. They come from a recipe's last slice; all others outside the layers from its first. */
export function isBehindLayers(name: string): boolean {
  return /(^|\.)(norm|ln_f|norm_f|final_layer_?norm|final_norm|lm_head|embed_out|output|score|classifier|qa_outputs|pooler|pre_classifier|cls|predictions|generator_\w+)\./.test(
    name,
  )
}

/** Buffers that older files store and newer code computes: left out where some input lacks them. */
export function isBuffer(name: string): boolean {
  return /(^|\.)(position_ids|token_type_ids|inv_freq|masked_bias|rotary_emb\.inv_freq)$|(^|\.)(attn|attention)\.(bias|masked_bias)$/.test(name)
}

/** Output heads that may share the input embedding. */
export function isHead(name: string): boolean {
  return /(^|\.)(lm_head|embed_out|output|decoder|vocab_projector|generator_lm_head|proj_out)\.weight$/.test(name) && layerOf(name) === undefined
}

/** Input embeddings of tokens. */
export function isTokenEmbedding(name: string): boolean {
  return /(^|\.)(embed_tokens|wte|embed_in|word_embeddings|shared|tok_embeddings|embeddings)\.weight$/.test(name) && layerOf(name) === undefined
}

function isHeadBias(name: string): boolean {
  return /(^|\.)(lm_head|embed_out|decoder|vocab_projector|generator_lm_head|predictions)\.bias$/.test(name) && layerOf(name) === undefined
}

/** Tensors with one row a token of the vocabulary: embeddings, heads, and the heads' biases. */
export function hasVocabularyRows(name: string, shape: readonly number[], vocabulary: number | undefined): boolean {
  if (vocabulary === undefined || shape[0] === undefined || shape[0] < vocabulary) return false
  return isTokenEmbedding(name) || isHead(name) || (shape.length === 1 && isHeadBias(name))
}
