// The rooms table of docs/architecture.md as rules: who may import whom, through the door only, no cycles, one room per third-party package.
const rooms = {
  core: [],
  formats: ['core'],
  tables: ['core'],
  hub: ['core', 'formats'],
  tokenizer: ['core'],
  architectures: ['core'],
  graph: ['core', 'architectures'],
  runtime: ['core'],
  linalg: ['core', 'runtime'],
  model: ['core', 'formats', 'hub', 'tokenizer', 'architectures', 'graph', 'runtime', 'linalg'],
  merge: ['core', 'formats', 'linalg', 'architectures', 'tokenizer'],
  tasks: ['core', 'formats', 'tables', 'hub'],
  evaluate: ['core', 'linalg', 'tasks'],
  results: ['core', 'tables'],
  experiment: ['core', 'formats', 'tables', 'hub', 'tokenizer', 'architectures', 'graph', 'runtime', 'linalg', 'model', 'merge', 'tasks', 'evaluate', 'results'],
}

/** Third-party packages and the one room that may name each. */
const guests = {
  yaml: 'formats', zod: 'formats', '@duckdb/node-api': 'tables', '@huggingface/hub': 'hub', tokenizers: 'tokenizer', '@huggingface/jinja': 'tokenizer',
  protobufjs: 'graph', 'onnxruntime-node': 'runtime', commander: 'cli',
}

const escape = (name) => name.replace(/[/@-]/g, (c) => `\\${c}`)

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nobody-imports-cli', severity: 'error', from: { pathNot: '^src/cli/' }, to: { path: '^src/cli/' } },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${room}-imports`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
    })),
    ...[...Object.keys(rooms), 'cli'].map((room) => ({
      name: `${room}-through-the-door`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${room}/` },
      to: { path: `^src/${room}/`, pathNot: `^src/${room}/(index|main)\\.ts$` },
    })),
    ...Object.entries(guests).map(([name, room]) => ({
      name: `${name.replace(/[^a-z]/g, '-')}-only-in-${room}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${room}/` },
      to: { path: `^(node_modules/)?${escape(name)}(/|$)` },
    })),
  ],
  options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' }, includeOnly: ['^src', ...Object.keys(guests).map((g) => `node_modules/${escape(g)}`)] },
}
