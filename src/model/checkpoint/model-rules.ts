/**
 * How mteb asks the models it knows by name: prompts of theirs, or a template for the instructions of tasks. Read once,
 * when first asked for.
 */

/** A text for texts as they are, for queries, for documents. */
export type BySide = Readonly<Record<'plain' | 'query' | 'document', string>>

export interface ModelRule {
  /**
   * `prompts`: a text by task, type or side goes in front. `instructions`: the task's own instruction goes in front,
   * worded by `template`.
   */
  readonly kind: 'prompts' | 'instructions'
  /** mteb's class that runs the model. */
  readonly loader: string
  /** Texts by task, type or side; for `instructions` they stand for the task's own, and may differ by side. */
  readonly prompts: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** Key of `prompts` that is used when none fits. */
  readonly otherwise?: string
  /** Text with `{instruction}`; without a template the instruction is the prompt. */
  readonly template?: BySide
  /** Text in front when there is no instruction. */
  readonly without?: BySide
  /** False: documents have no prompt at all. */
  readonly passages: boolean
  /** False: the prompt's tokens are left out of the pooling. */
  readonly includePrompt?: boolean
}

/** A row of model-prompts.json: a number stands for a table that several models share. */
interface Row {
  kind: string
  loader: string
  prompts?: number | ModelRule['prompts']
  otherwise?: string
  template?: number | string
  without?: BySide
  passages?: boolean
  includePrompt?: boolean
}

interface Table {
  readonly tables: readonly Readonly<Record<string, string>>[]
  readonly models: Readonly<Record<string, Row>>
}

/**
 * Wrappers that do nothing but put a prompt in front and encode; others compute more, which prompts alone do not
 * repeat.
 */
const plainLoaders = new Set([
  'SentenceTransformerEncoderWrapper',
  'InstructSentenceTransformerModel',
  'q3e_instruct_loader',
  'NomicWrapper',
])

/** Wrappers whose `model_prompts` are names of adapters, and no texts. */
const adapterLoaders = new Set(['JinaWrapper', 'JinaV4Wrapper', 'JinaV5TextWrapper', 'JinaV5OmniWrapper'])

let read: Promise<Table> | undefined

/** The rule of a model by the name it has on the hub; undefined for models that mteb gives nothing. */
export async function ruleOf(model: string): Promise<ModelRule | undefined> {
  const rule = model.includes('/') ? await rowOf(model) : undefined
  return rule !== undefined && adapterLoaders.has(rule.loader) ? { ...rule, prompts: {} } : rule
}

async function rowOf(model: string): Promise<ModelRule | undefined> {
  read ??= import('./model-prompts.json', { with: { type: 'json' } }).then((file) => file.default as unknown as Table)
  const { models, tables } = await read
  const row = Object.hasOwn(models, model) ? models[model] : undefined
  if (row === undefined) return undefined
  const { kind, prompts, template, ...rest } = row
  const texts = typeof template === 'number' ? (tables[template] as BySide | undefined) : template
  return {
    passages: true,
    ...rest,
    kind: kind as ModelRule['kind'],
    prompts: typeof prompts === 'number' ? (tables[prompts] ?? {}) : (prompts ?? {}),
    ...(texts === undefined
      ? {}
      : { template: typeof texts === 'string' ? { plain: texts, query: texts, document: texts } : texts }),
  }
}

/**
 * Task adapters by task, type or side, as mteb asks jina-embeddings-v3 for them: its wrapper takes a name where others
 * take a prompt. Other checkpoints whose adapters have these names are asked in the same way.
 */
export async function adaptersByTask(): Promise<ModelRule['prompts']> {
  return (await rowOf('jinaai/jina-embeddings-v3'))?.prompts ?? {}
}

/** Said in plans and results where mteb's wrapper does more than prompts. */
export function ruleNotice(model: string, { loader }: ModelRule): string | undefined {
  return plainLoaders.has(loader)
    ? undefined
    : `mteb runs ${model} with a wrapper of its own (${loader}); its prompts are used here, whatever else it does is not repeated`
}
