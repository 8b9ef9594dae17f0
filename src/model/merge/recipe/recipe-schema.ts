/**
 * The keys of mergekit's configuration, level by level. Values are checked for their kind here, for their meaning in
 * the recipe.
 */
import { zod, type Zod } from '#files/formats'
import { referenceSchema } from './reference-schema.ts'
import type { Settings } from './settings.ts'

export type RawRecipe = ReturnType<ReturnType<typeof makeSchema>['parse']>

let made: ReturnType<typeof makeSchema> | undefined

export function recipeSchema(): ReturnType<typeof makeSchema> {
  made ??= makeSchema(zod())
  return made
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
function makeSchema(z: Zod) {
  const scalar = z.union([z.number(), z.boolean(), z.string()])
  const value = z.union([scalar, z.array(scalar)]).nullable()
  const condition = z.strictObject({ filter: z.string().nullish(), value })
  const setting = z.union([value, condition, z.array(condition)])
  const parameters = z
    .record(z.string(), setting)
    .nullish()
    .transform((given): Settings => given ?? {})
  const model = referenceSchema(z)
  const optionalModel = model.nullish().transform((given) => given ?? undefined)
  const text = z
    .string()
    .nullish()
    .transform((given) => given ?? undefined)
  const input = z.strictObject({ model, parameters })
  const source = z.strictObject({
    model,
    layer_range: z
      .tuple([z.number().int().min(0), z.number().int().min(0)])
      .refine(([from, to]) => from <= to, 'a layer range runs forwards: [from, to)')
      .nullish()
      .transform((given) => given ?? undefined),
    parameters,
  })
  const slice = z.strictObject({
    sources: z.array(source).min(1),
    base_model: optionalModel,
    residual_weight: z.number().nullish(),
    parameters,
  })
  const module = z
    .strictObject({ models: z.array(input).min(1).nullish(), slices: z.array(slice).min(1).nullish(), parameters })
    .transform(({ models, slices, ...rest }) => ({ ...rest, models: models ?? undefined, slices: slices ?? undefined }))
    .refine(({ models, slices }) => (models === undefined) !== (slices === undefined), 'exactly one of models, slices')
  const tokenizer = tokenizerSchema(z)
  return z
    .strictObject({
      name: text,
      merge_method: z.string(),
      models: z
        .array(input)
        .min(1)
        .nullish()
        .transform((given) => given ?? undefined),
      slices: z
        .array(slice)
        .min(1)
        .nullish()
        .transform((given) => given ?? undefined),
      modules: z
        .record(z.string(), module)
        .nullish()
        .transform((given) => given ?? undefined),
      base_model: optionalModel,
      parameters,
      dtype: text,
      out_dtype: text,
      tokenizer_source: optionalModel,
      tokenizer: tokenizer.nullish().transform((given) => given ?? undefined),
      chat_template: text,
    })
    .refine(
      ({ models, slices, modules }) => [models, slices, modules].filter((one) => one !== undefined).length === 1,
      'exactly one of models, slices, modules',
    )
    .refine(
      ({ tokenizer_source: source, tokenizer: block }) => source === undefined || block === undefined,
      'tokenizer_source and tokenizer exclude each other',
    )
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
function tokenizerSchema(z: Zod) {
  const model = referenceSchema(z)
  const text = z
    .string()
    .nullish()
    .transform((given) => given ?? undefined)
  const wholeNumber = z
    .number()
    .int()
    .min(0)
    .nullish()
    .transform((given) => given ?? undefined)
  const tokenSource = z.union([
    z.strictObject({ kind: z.literal('zero') }),
    z
      .strictObject({ kind: z.literal('model_token'), model, token: text, token_id: wholeNumber })
      .refine(
        ({ token, token_id: id }) => (token === undefined) !== (id === undefined),
        'exactly one of token, token_id',
      ),
    model,
  ])
  return z.strictObject({
    source: z.union([z.string(), model]).default('union'),
    pad_to_multiple_of: z
      .number()
      .int()
      .positive()
      .nullish()
      .transform((given) => given ?? undefined),
    tokens: z
      .record(
        z.string(),
        z.strictObject({
          source: tokenSource.nullish().transform((given) => given ?? undefined),
          force: z.boolean().default(false),
        }),
      )
      .nullish()
      .transform((given) => given ?? {}),
  })
}
