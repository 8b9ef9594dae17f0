/** What a model is opened from: references are resolved elsewhere. */
import type { RepoFiles, TensorSource } from '#core'
import type { GraphFiles } from '#model/passes'

export interface ModelParts {
  /** The repository: modules.json and the modules' folders. */
  readonly files: RepoFiles
  /** Where config.json, tokenizer and tensors are: the repository, or its first module's folder (`bodyOf`). */
  readonly body: RepoFiles
  /** Repositories that the tensors come from, each with its card; default: `files` alone. */
  readonly origins?: readonly RepoFiles[]
  readonly tensors: TensorSource
  /** As results call it. */
  readonly name: string
  readonly revision: () => Promise<string>
  /** The weights are in this graph, and `tensors` has none. */
  readonly graph?: GraphFiles | undefined
  /** `static:` was asked for. */
  readonly asStatic?: boolean
  /** Facts for the user: a setting that was put right, a tensor that nothing reads. */
  readonly notices?: readonly string[]
}
