/** MarkupLM (Li et al. 2022): BERT with paths in a document, which a bare text leaves open at every depth. */
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import type { FixedRow } from '../spec.ts'
import { bert, bertHeads } from './bert.ts'
import { robertaSpec } from './roberta.ts'

export const markuplm = {
  title: 'MarkupLM',
  notes: 'as BERT with RoBERTa’s positions; every token has the path of padding (as transformers without xpaths)',
  modelTypes: ['markuplm'],
  classes: ['MarkupLM'],
  spec: (config) => {
    config.only('position_embedding_type', ['absolute'], 'positions of another kind are not supported')
    const spec = robertaSpec(config, { padId: 0 })
    const { width } = spec
    const table = (key: string, usual: number): number => config.int(key, usual, { max: limits.vocabulary })
    const tags = table('max_xpath_tag_unit_embeddings', 256)
    const places = table('max_xpath_subs_unit_embeddings', 1024)
    const columns = config.int('xpath_unit_hidden_size', 32, { max: limits.width })
    const pad = (key: string, usual: number, rows: number): number => config.int(key, usual, { min: 0, max: rows - 1 })
    const tag: FixedRow = { slot: 'embed.tag', rows: tags, row: pad('tag_pad_id', 216, tags), width: columns }
    const place: FixedRow = { slot: 'embed.place', rows: places, row: pad('subs_pad_id', 1001, places), width: columns }
    const depth = config.int('max_depth', 50, { max: 1024 })
    return {
      ...spec,
      causal: false,
      embedding: {
        ...spec.embedding,
        assembled: {
          parts: Array.from({ length: depth }, (_, j) => [
            { ...tag, j },
            { ...place, j },
          ]),
          inner: 4 * width,
        },
      },
      heads: bertHeads(width),
    }
  },
  prefixes: ['', 'markuplm.'],
  tensors: {
    ...bert.tensors,
    'embed.tag': 'embeddings.xpath_embeddings.xpath_tag_sub_embeddings.{j}.weight',
    'embed.place': 'embeddings.xpath_embeddings.xpath_subs_sub_embeddings.{j}.weight',
    'embed.assembled.in': 'embeddings.xpath_embeddings.xpath_unitseq2_inner.*',
    'embed.assembled.out': 'embeddings.xpath_embeddings.inner2emb.*',
  },
} as const satisfies Family
