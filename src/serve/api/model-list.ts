/** `GET /v1/models` as OpenAI has it: every model, and the representations named at the start. */
import { json } from '#serve/http'
import { get } from './world.ts'

export const modelList = get({
  path: '/v1/models',
  dialect: 'openai',
  summary: 'Names that requests may ask for',
  run: (_, { world: { served } }) => {
    const names = served.all.flatMap(({ name, listed }) => [name, ...listed.map((one) => `${name}#${one}`)])
    const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'strata' }))
    return Promise.resolve(json({ object: 'list', data }))
  },
})
