/** `GET /`: the models, the addresses and an example, for a person with a browser. */
import { version } from '#core'
import { type ApiRoute, get, type World } from './world.ts'

/** The page of a server with these addresses. Whoever has no key may see it: with one, it names no model. */
export function serverPage(addresses: readonly ApiRoute[]): ApiRoute {
  return get({
    path: '/',
    dialect: 'openai',
    summary: 'This server, for a person with a browser',
    isOpen: true,
    run: async (_, { world }) => ({
      kind: 'text',
      text: await pageText(addresses, world),
      type: 'text/html; charset=utf-8',
    }),
  })
}

async function pageText(addresses: readonly ApiRoute[], world: World): Promise<string> {
  // pictures come with the report, which a server that nobody looks at need not load
  const { escaped, pageScripts, pageShell, tableSection } = await import('#result/report')
  const [first] = world.served.all
  const name = world.isKeyed || first === undefined ? 'org/model' : first.name
  const models = tableSection(
    {
      id: 'models',
      title: 'Models',
      notes: ['Behind a name, #h4 is a hidden state, #mean:2-5 a mean of several, #h4:128 its first 128 numbers.'],
      columns: [{ title: 'Name' }, { title: 'Hidden states', number: true }, { title: 'Named at the start' }],
      rows: world.served.all.map((one) => [
        { text: one.name },
        { text: String(one.model.states?.count ?? '–'), value: one.model.states?.count },
        { text: one.listed.map((listed) => `#${listed}`).join(' ') },
      ]),
    },
    { isOpen: true },
  )
  const paths = tableSection(
    {
      id: 'addresses',
      title: 'Addresses',
      notes: [],
      columns: [{ title: 'Address' }, { title: 'Answer' }],
      rows: addresses.map(({ method, path, summary }) => [
        { text: `${method.toUpperCase()} ${path}` },
        { text: summary },
      ]),
    },
    { isOpen: true },
  )
  const header = world.isKeyed ? ` \\\n  -H "authorization: Bearer $KEY"` : ''
  const hasStates = first?.model.states !== undefined
  const body = JSON.stringify({ model: hasStates ? `${name}#h1` : name, input: ['A first text', 'A second one'] })
  const example = `curl ${world.address()}/v1/embeddings \\\n  -H 'content-type: application/json'${header} \\\n  -d '${body.replaceAll("'", String.raw`'\''`)}'`
  return pageShell({
    title: 'strata serve',
    scripts: await pageScripts(),
    main: `<p class="note">Vectors, labels and texts in the interfaces of OpenAI and of text-embeddings-inference.</p>
${world.isKeyed ? '<p>Names of models are for those who have the key: GET /v1/models.</p>' : models}
<h2>An example</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Example"><pre>${escaped(example)}</pre></div>
${paths}
${world.isKeyed ? '' : '<p><a href="/openapi.json">OpenAPI document</a>, <a href="/metrics">counts of requests, tokens and times</a></p>'}`,
    footer: `Answered by strata ${escaped(version)}.`,
  })
}
