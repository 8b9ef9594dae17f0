/** The OpenAPI document (3.1), made of the schemas that check requests. */
import { version } from '#core'
import type { Zod } from '#files/formats'
import type { Route } from './route.ts'

export function openApi<World>(routes: readonly Route<World>[], z: Zod): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const { method, path, summary, schema, isOpen = false } = route
    const body = schema === undefined ? undefined : z.toJSONSchema(schema(z), { io: 'input', unrepresentable: 'any' })
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        operationId: path.slice(1).replaceAll('/', '_'),
        ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(body) } }),
        ...(isOpen ? { security: [] } : {}),
        responses: {
          200: { description: summary },
          ...(body === undefined ? {} : { 400: failure('The request does not fit'), 413: failure('Too large') }),
          401: failure('The key is missing or wrong'),
          429: failure('The queue is full: Retry-After says when to come again'),
          500: failure('The server failed'),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Strata', version, description: 'Any layer, mix or unwritten merge behind one address.' },
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    security: [{}, { key: [] }],
  }
}

function jsonOf(schema: unknown): object {
  return { 'application/json': { schema } }
}

function failure(description: string): object {
  return { description, content: jsonOf({ type: 'object' }) }
}
