/**
 * Models of several towers whose language model reads text by itself: which part of their config is its config. Types,
 * defaults and names are those of transformers 5.24; sections of older and other people's code are read too.
 */

export interface Wrapper {
  /** `model_type` of the text part. */
  readonly text: string
  /** Whether the section may name another type, which then counts. */
  readonly any: boolean
  /** Whether head and token table are one where neither config nor section says so. */
  readonly tied: boolean
  /** Whether logits are scaled and capped as by the text part's own class; the classes of most wholes do neither. */
  readonly ownLogits: boolean
  /** Keys that the whole says, whatever the section says, and what they are where it is silent. */
  readonly whole?: Readonly<Record<string, unknown>>
}

const any = (text: string, tied = false): Wrapper => ({ text, any: true, tied, ownLogits: false })
const only = (text: string, tied = false, ownLogits = false): Wrapper => ({ text, any: false, tied, ownLogits })

/** By `model_type` of the whole. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    aria: only('aria_text'),
    audioflamingo3: any('qwen2'),
    aya_vision: any('cohere2', true),
    cohere2_vision: any('cohere2', true),
    cohere_compass: only('cohere_compass_text', false, true),
    emu3: only('emu3_text_model'),
    deepseek_vl: any('llama', true),
    deepseek_vl_hybrid: any('llama', true),
    exaone4_5: any('exaone4'),
    fast_vlm: any('qwen2'),
    fuyu: any('persimmon'),
    gemma3: only('gemma3_text', true),
    gemma3n: only('gemma3n_text', true, true),
    gemma4: only('gemma4_text', true, true),
    gemma4_unified: only('gemma4_unified_text', true, true),
    glmasr: any('llama', true),
    got_ocr2: any('qwen2', true),
    granite_speech: any('granite', true),
    idefics2: any('mistral'),
    idefics3: any('llama'),
    internvl: any('qwen2', true),
    internvl_chat: any('qwen2'),
    janus: any('llama', true),
    kimi_k25: any('deepseek_v3', true),
    lfm2_vl: any('lfm2', true),
    lighton_ocr: any('qwen3', true),
    llama4: only('llama4_text'),
    llava: any('llama'),
    llava_next: any('llama'),
    llava_next_video: any('llama'),
    llava_onevision: any('qwen2'),
    mistral3: any('mistral', true),
    mllama: only('mllama_text_model'),
    modernvbert: { ...any('modernbert'), whole: { classifier_pooling: 'cls' } },
    moss_transcribe_diarize: any('qwen3', true),
    musicflamingo: any('qwen2'),
    ovis2: any('qwen2', true),
    perception_lm: any('llama'),
    pp_chart2table: any('qwen2', true),
    qwen2_5_omni: only('qwen2_5_omni_text'),
    qwen2_5_omni_thinker: only('qwen2_5_omni_text'),
    qwen2_5_vl: only('qwen2_5_vl_text'),
    qwen2_audio: any('qwen2'),
    qwen2_vl: only('qwen2_vl_text'),
    qwen3_5: only('qwen3_5_text'),
    qwen3_5_moe: only('qwen3_5_moe_text'),
    qwen3_asr: any('qwen3', true),
    qwen3_vl: only('qwen3_vl_text'),
    smolvlm: any('llama'),
    ultravbert: { ...any('ultrabert'), whole: { classifier_pooling: 'cls' } },
    video_llama_3: any('qwen2'),
    video_llava: any('llama'),
    vipllava: any('llama'),
    voxtral: any('llama'),
  }),
)

/** Where the section lies. */
export const sections: readonly (readonly string[])[] = [
  ['text_config'],
  ['llm_config'],
  ['language_config'],
  ['thinker_config', 'text_config'],
  ['vlm_config', 'text_config'],
]

/** In front of the text part's own prefixes. */
export const towers: readonly string[] = ['', 'thinker.', 'vlm.', 'model.'].flatMap((root) =>
  ['model.language_model.', 'language_model.', 'model.text_model.', 'text_model.', 'model.llm.', 'llm.', ''].map(
    (tower) => `${root}${tower}`,
  ),
)

const sizes = (vocabulary: number, width: number, inner: number, layers: number, heads: number) => ({
  vocab_size: vocabulary,
  hidden_size: width,
  intermediate_size: inner,
  num_hidden_layers: layers,
  num_attention_heads: heads,
})

/** Sizes of each text part's class: a section leaves out what equals its class. */
export const classSizes: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map(
  Object.entries({
    llama: sizes(32_000, 4096, 11_008, 32, 32),
    mistral: sizes(32_000, 4096, 14_336, 32, 32),
    mixtral: sizes(32_000, 4096, 14_336, 32, 32),
    ministral3: sizes(131_072, 4096, 14_336, 34, 32),
    qwen2: sizes(151_936, 4096, 22_016, 32, 32),
    qwen3: sizes(151_936, 4096, 22_016, 32, 32),
    qwen2_moe: sizes(151_936, 2048, 5632, 24, 16),
    qwen3_moe: sizes(151_936, 2048, 6144, 24, 32),
    gemma: sizes(256_000, 3072, 24_576, 28, 16),
    gemma2: sizes(256_000, 2304, 9216, 26, 8),
    gemma3_text: sizes(262_208, 2304, 9216, 26, 8),
    gemma3n_text: sizes(262_400, 2048, 16_384, 35, 8),
    gemma4_text: sizes(262_144, 2304, 9216, 30, 8),
    gemma4_unified_text: sizes(262_144, 2304, 9216, 30, 8),
    cohere: sizes(256_000, 8192, 22_528, 40, 64),
    cohere2: sizes(256_000, 8192, 22_528, 40, 64),
    cohere_compass_text: sizes(256_000, 8192, 22_528, 40, 64),
    persimmon: sizes(262_144, 4096, 16_384, 36, 64),
    phi3: sizes(32_064, 3072, 8192, 32, 32),
    modernbert: sizes(50_368, 768, 1152, 22, 12),
    ultrabert: sizes(32_000, 4096, 11_008, 32, 32),
    granite: sizes(32_000, 4096, 11_008, 32, 32),
    deepseek_v3: sizes(129_280, 7168, 18_432, 61, 128),
    lfm2: sizes(65_536, 2560, 12_288, 32, 32),
    exaone4: sizes(102_400, 4096, 16_384, 32, 32),
    ernie4_5: sizes(103_424, 1024, 3072, 18, 16),
    smollm3: sizes(128_256, 2048, 11_008, 36, 16),
    gpt_oss: sizes(201_088, 2880, 2880, 36, 64),
    llama4_text: sizes(202_048, 5120, 8192, 48, 40),
    aria_text: sizes(32_000, 4096, 4096, 32, 32),
    emu3_text_model: sizes(184_622, 4096, 14_336, 32, 32),
    mllama_text_model: sizes(128_256, 4096, 14_336, 40, 32),
    qwen2_vl_text: sizes(152_064, 8192, 29_568, 80, 64),
    qwen2_5_vl_text: sizes(152_064, 8192, 29_568, 80, 64),
    qwen2_5_omni_text: sizes(152_064, 3584, 18_944, 28, 28),
    qwen3_vl_text: sizes(151_936, 4096, 22_016, 32, 32),
    qwen3_5_text: sizes(248_320, 4096, 12_288, 32, 16),
    qwen3_5_moe_text: { ...sizes(248_320, 2048, 512, 40, 16), moe_intermediate_size: 512 },
  }),
)
