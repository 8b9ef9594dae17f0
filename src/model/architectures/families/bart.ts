/**
 * BART (Lewis et al. 2020) and its relatives: encoders of whole checkpoints, and decoders that were saved alone. They
 * differ in where norms stand and how positions are made.
 */
import { bartFamilies } from '../bart-blocks.ts'
import type { Family } from '../family.ts'

const postNorm = { norms: 'after-add', embeddingNorm: true, finalNorm: false } as const
const preNorm = { norms: 'before', embeddingNorm: false, finalNorm: true } as const

const bart = bartFamilies({
  title: 'BART',
  notes:
    'vectors of the encoder: post-norm, learned positions from row 2 on; the decoder of whole checkpoints is not run',
  modelType: 'bart',
  stem: 'Bart',
  wiring: { ...postNorm, positions: 2, maxTokens: 1024, padId: 1 },
})

const plbart = bartFamilies({
  title: 'PLBART',
  notes: 'as BART, embeddings scaled',
  modelType: 'plbart',
  stem: 'PLBart',
  wiring: { ...postNorm, positions: 2, maxTokens: 1024, padId: 1, scaled: true },
})

const blenderbotSmall = bartFamilies({
  title: 'BlenderbotSmall',
  notes: 'as BART, positions from row 0 on',
  modelType: 'blenderbot-small',
  stem: 'BlenderbotSmall',
  wiring: { ...postNorm, decoderNormFirst: true, positions: 0, maxTokens: 512, padId: 0 },
})

const mbart = bartFamilies({
  title: 'mBART',
  notes: 'as BART, pre-norm with a final norm',
  modelType: 'mbart',
  stem: 'MBart',
  wiring: { ...preNorm, embeddingNorm: true, positions: 2, maxTokens: 1024, padId: 1 },
})

const blenderbot = bartFamilies({
  title: 'Blenderbot',
  notes: 'as mBART, without a norm of the embeddings, positions from row 0 on',
  modelType: 'blenderbot',
  stem: 'Blenderbot',
  wiring: { ...preNorm, positions: 0, maxTokens: 128, padId: 0 },
})

const pegasus = bartFamilies({
  title: 'Pegasus',
  notes: 'as Blenderbot, sinusoidal positions',
  modelType: 'pegasus',
  stem: 'Pegasus',
  wiring: { ...preNorm, positions: 'sinusoid', maxTokens: 1024, padId: 0 },
})

const marian = bartFamilies({
  title: 'Marian',
  notes: 'as BART, sinusoidal positions, no norm of the embeddings',
  modelType: 'marian',
  stem: 'Marian',
  classes: ['MarianMT'],
  wiring: { ...postNorm, embeddingNorm: false, positions: 'sinusoid', maxTokens: 1024, padId: 58_100 },
})

const mvp = bartFamilies({
  title: 'MVP',
  notes: 'as BART; prompts of its layers (use_prompt) are refused',
  modelType: 'mvp',
  stem: 'Mvp',
  wiring: { ...postNorm, positions: 2, maxTokens: 1024, padId: 1 },
})

function withoutPrompt(family: Family): Family {
  return {
    ...family,
    spec: (config) => {
      if (config.flag('use_prompt', false))
        throw config.unsupported('use_prompt', 'prompts of layers are not supported')
      return family.spec(config)
    },
  }
}

const relatives = [bart, mbart, marian, pegasus, blenderbot, blenderbotSmall, plbart]

export const bartEncoders: readonly Family[] = [...relatives.map(({ encoder }) => encoder), withoutPrompt(mvp.encoder)]
export const bartDecoders: readonly Family[] = [...relatives.map(({ decoder }) => decoder), withoutPrompt(mvp.decoder)]
