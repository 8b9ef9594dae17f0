/**
 * Model types that transformers 5.24 maps to heads over text and that no family reads, each with its reason.
 * A test holds them, and the types that open, to the list of the reference (`oracles/families.py --types`).
 */
export const refusedTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    axk2: 'norms with low-rank gates; queries and gates come from normed and from raw columns',
    bailing_hybrid: 'delta rule that decays column by column, next to latent attention',
    beam: 'residuals scaled by depth, queries that grow with a power of their position',
    blt: 'reads bytes, in patches that a second model cuts by their entropy',
    cpmant: 'learned prompts in front of every text, positions by segments',
    deepseek_v4: 'streams joined by hyper-connections, attention to compressed keys',
    dory: 'layers run in loops, with every state on the unit sphere',
    dots3_note: 'latent attention with a norm of its rotated keys and heads that differ by layer',
    dots3_note_text: 'latent attention with a norm of its rotated keys and heads that differ by layer',
    gemma4_assistant: 'drafts tokens from the keys and values of another model',
    gemma4_unified_assistant: 'drafts tokens from the keys and values of another model',
    hrm_text: 'two stacks of layers run in turns, over and over, each on a stream of its own',
    hy_v4: 'streams joined by hyper-connections',
    inkling2_loop_text: 'layers run in loops and read the states of earlier ones; clipped queries and keys',
    inkling2_text: 'blocks read the states of earlier ones; clipped queries and keys, dynamic convolutions',
    inkling_text: 'scores from relative positions made of the query; convolutions of keys, values and outputs',
    layoutlmv2: 'reads a picture of the page with every text',
    minimax_m3_vl_text: 'an indexer chooses blocks of keys',
    mra: 'attention is approximated by blocks at several resolutions (Zeng et al. 2022)',
    musicgen: 'reads codes of sound, several at each step',
    musicgen_melody: 'reads codes of sound, several at each step',
    neomme: 'values with embeddings of their tokens, states mixed with the first, heads that leave their own value out',
    perceiver: 'reads bytes by a fixed number of latents, and has no state per token',
    qwen4_exp: 'hashed embeddings of n-grams, residuals gated between streams',
    qwen4_exp_text: 'hashed embeddings of n-grams, residuals gated between streams',
    reformer: 'attention is approximated by hashing (Kitaev et al. 2020)',
    whisper: 'writes down what its encoder hears',
    yoso: 'attention is approximated by hashing (Zeng et al. 2021)',
  }),
)
