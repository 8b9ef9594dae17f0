/** What tensor names say by themselves: for families and tensors that no table of names knows. */

export interface LayerName {
  readonly prefix: string
  readonly layer: number
  readonly rest: string
}

/**
 * `model.layers.7.mlp.up_proj.weight` → prefix `model.layers.`, layer 7, rest `.mlp.up_proj.weight`: the first purely
 * numeric part is the layer.
 */
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

/** Final norm, heads, pooler. */
export function namesEnd(name: string): boolean {
  return /(^|\.)(norm|ln_f|norm_f|final_layer_?norm|final_norm|lm_head|embed_out|output|score|classifier|qa_outputs|pooler|pre_classifier|cls|predictions|generator_\w+)\./.test(
    name,
  )
}

/** Buffers that files store and code computes: positions, causal masks, rotary frequencies, MiniMax's decays. */
export function isBuffer(name: string): boolean {
  return /(^|\.)(position_ids|token_type_ids|inv_freq|masked_bias|embed_scale|(?:query|key|diagonal)_decay)$|(^|\.)(attn|attention)\.bias$/.test(
    name,
  )
}

export function namesTokenEmbedding(name: string): boolean {
  return /(^|\.)(embed_tokens|wte|embed_in|word_embeddings|shared|tok_embeddings|embeddings)\.weight$/.test(name)
}

/** Positions, token types, distances. */
export function namesOtherEmbedding(name: string): boolean {
  return /(^|\.)(wpe|position_embeddings?|token_type_embeddings|embed_positions|relative_attention_bias|rel_embeddings|embed_tokens_per_layer)\.weight$/.test(
    name,
  )
}

export function namesHead(name: string): boolean {
  return /(^|\.)(lm_head|embed_out|output|decoder|vocab_projector|generator_lm_head|proj_out)\.weight$/.test(name)
}

export function namesHeadBias(name: string): boolean {
  return /(^|\.)(lm_head|embed_out|decoder|vocab_projector|generator_lm_head|predictions)\.bias$/.test(name)
}

/** Every layer of a head for classes, tokens or answers, the dense ones before the last too. */
export function namesTaskHead(name: string): boolean {
  return /(^|\.)(classifier|pre_classifier|score|out_proj|qa_outputs|lm_head|embed_out|cls|vocab_\w+|generator_\w+)\./.test(
    name,
  )
}

/** GPT-2's Conv1D, in its cross attention too. */
export function namesConv1d(name: string): boolean {
  return /\.(c_attn|c_proj|c_fc|q_attn)\.weight$/.test(name)
}
