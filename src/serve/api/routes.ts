/** Every address of the server. */
import { chatCompletions, completions } from './completions.ts'
import { embed, embedAll } from './embed.ts'
import { embeddings } from './embeddings.ts'
import { modelList } from './model-list.ts'
import { predict } from './predict.ts'
import { rerank } from './rerank.ts'
import { serverPage } from './server-page.ts'
import type { ApiRoute } from './world.ts'
import { tokenize } from './tokenize.ts'
import { health, info, metrics } from './watch.ts'

const asked: readonly ApiRoute[] = [
  embeddings,
  completions,
  chatCompletions,
  modelList,
  embed,
  embedAll,
  predict,
  rerank,
  tokenize,
  info,
  health,
  metrics,
]

export const routes: readonly ApiRoute[] = [...asked, serverPage(asked)]
