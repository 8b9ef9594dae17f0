// The house as rules: who may import whom, through doors only, no cycles, one room per third-party package. test/house.test.ts holds the tables to the tree.

/** Wings in the order in which one may import another: each sees those before it. `core`, `task` and `result` know no model: they see the seams of `core`. */
export const wings = {
  core: [],
  platform: ['core'],
  files: ['core', 'platform'],
  model: ['core', 'platform', 'files'],
  representation: ['core', 'platform', 'files', 'model'],
  task: ['core', 'platform', 'files'],
  result: ['core', 'platform', 'files'],
  experiment: ['core', 'platform', 'files', 'model', 'representation', 'task', 'result'],
  cli: ['core', 'platform', 'files', 'model', 'representation', 'task', 'result', 'experiment'],
}

/** Rooms in the order in which data passes through them, each with the rooms it may import beside `core`. */
export const rooms = {
  core: [],
  'platform/wasm': [],
  'platform/disk': ['platform/wasm'],
  'platform/threads': [],
  'platform/random': ['platform/wasm'],
  'platform/jinja': [],
  'platform/onnx': [],
  'platform/runtime': ['platform/threads', 'platform/onnx'],
  'platform/linalg': ['platform/wasm', 'platform/threads', 'platform/random', 'platform/runtime'],
  'platform/vectors': ['platform/disk'],
  'files/formats': ['platform/wasm', 'platform/disk'],
  'files/tables': ['platform/disk', 'files/formats'],
  'files/hub': ['platform/disk', 'files/formats'],
  'files/packages': ['platform/disk', 'files/formats', 'files/hub'],
  'model/tokenizer': ['platform/threads', 'platform/jinja', 'files/formats'],
  'model/architectures': ['files/formats'],
  'model/graph': ['platform/onnx', 'model/architectures'],
  'model/adapters': ['platform/disk', 'platform/linalg', 'files/formats', 'files/hub', 'model/architectures'],
  'model/static': ['files/formats', 'model/tokenizer'],
  'model/checkpoint': [
    'platform/runtime',
    'platform/vectors',
    'files/formats',
    'files/hub',
    'model/tokenizer',
    'model/architectures',
    'model/graph',
    'model/static',
  ],
  'model/merge': [
    'platform/wasm',
    'platform/disk',
    'platform/threads',
    'platform/random',
    'platform/linalg',
    'files/formats',
    'files/hub',
    'model/tokenizer',
    'model/architectures',
  ],
  'model/transplant': ['platform/random', 'platform/linalg', 'files/formats', 'model/architectures', 'model/merge'],
  'representation/similarity': ['platform/random', 'platform/linalg'],
  'representation/metrics': ['platform/random', 'platform/linalg'],
  'representation/aggregation': ['platform/linalg'],
  'task/registry': ['platform/disk', 'platform/random', 'files/formats', 'files/tables', 'files/hub'],
  'task/protocols': ['platform/random', 'platform/linalg', 'task/registry'],
  'result/ledger': ['platform/disk', 'files/formats', 'files/tables'],
  'result/statistics': ['platform/random', 'files/tables', 'result/ledger'],
  'experiment/open': [
    'platform/disk',
    'files/formats',
    'files/tables',
    'files/hub',
    'model/tokenizer',
    'model/architectures',
    'model/adapters',
    'model/checkpoint',
    'model/merge',
    'model/transplant',
  ],
  'experiment/encode': ['platform/disk', 'files/formats', 'files/tables', 'model/checkpoint', 'experiment/open'],
  'experiment/make': ['platform/disk', 'files/formats', 'files/hub', 'model/adapters', 'model/merge', 'model/transplant', 'experiment/open'],
  'experiment/sweep': [
    'platform/disk',
    'platform/runtime',
    'platform/linalg',
    'platform/vectors',
    'files/hub',
    'model/checkpoint',
    'task/registry',
    'task/protocols',
    'result/ledger',
  ],
  'experiment/inspect': [
    'platform/disk',
    'platform/random',
    'platform/vectors',
    'files/formats',
    'model/checkpoint',
    'representation/similarity',
    'representation/metrics',
  ],
  cli: [
    'platform/runtime',
    'platform/linalg',
    'platform/vectors',
    'files/tables',
    'files/hub',
    'files/packages',
    'model/checkpoint',
    'model/merge',
    'model/transplant',
    'representation/similarity',
    'representation/metrics',
    'task/registry',
    'result/ledger',
    'result/statistics',
    'experiment/open',
    'experiment/encode',
    'experiment/make',
    'experiment/sweep',
    'experiment/inspect',
  ],
}

/** Rooms in parts: the folders below a room, in order, each with those it may import beside itself. Nothing but the door lies beside them. */
export const parts = {
  'model/merge': { methods: [], recipe: ['methods'], plan: ['methods', 'recipe'], moe: ['methods', 'recipe', 'plan'], engine: ['methods', 'plan'] },
}

/** Third-party packages and the one room that may name each. */
export const guests = {
  yaml: 'files/formats',
  zod: 'files/formats',
  '@duckdb/node-api': 'files/tables',
  '@huggingface/hub': 'files/hub',
  tokenizers: 'model/tokenizer',
  '@huggingface/jinja': 'model/tokenizer',
  protobufjs: 'platform/onnx',
  'onnxruntime-node': 'platform/runtime',
  koffi: 'platform/runtime',
  commander: 'cli',
}

const escape = (name) => name.replace(/[/@-]/g, (c) => `\\${c}`)
const plain = (name) => name.replace(/[^a-z]+/g, '-')

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(wings).map(([wing, seen]) => ({
      name: `wing-${wing}-imports`,
      severity: 'error',
      from: { path: `^src/${wing}/` },
      to: { path: '^src/', pathNot: `^src/(${[wing, ...seen].join('|')})/` },
    })),
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `${plain(room)}-imports`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, 'core', ...allowed].join('|')})/` },
    })),
    ...Object.keys(rooms).map((room) => ({
      name: `${plain(room)}-through-the-door`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${room}/` },
      to: { path: `^src/${room}/`, pathNot: `^src/${room}/index\\.ts$` },
    })),
    ...Object.entries(parts).flatMap(([room, own]) =>
      Object.entries(own).map(([part, allowed]) => ({
        name: `${plain(room)}-${part}-imports`,
        severity: 'error',
        from: { path: `^src/${room}/${part}/` },
        to: { path: `^src/${room}/`, pathNot: `^src/${room}/(${[part, ...allowed].join('|')})/` },
      })),
    ),
    {
      name: 'every-file-in-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(index\\.ts$|(${Object.keys(rooms).join('|')})/)` },
      to: {},
    },
    ...Object.entries(guests).map(([name, room]) => ({
      name: `${plain(name)}-only-in-${plain(room)}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${room}/` },
      to: { path: `^(node_modules/)?${escape(name)}(/|$)` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    includeOnly: ['^src', ...Object.keys(guests).map((guest) => `node_modules/${escape(guest)}`)],
  },
}
