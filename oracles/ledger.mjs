// Writes the results of test/result/ledger/golden/ledger.json as a folder, for load_results.py: node oracles/ledger.mjs FOLDER   (needs npm run build)
// python oracles/load_results.py FOLDER --write test/result/ledger/golden/mteb-loader.json
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeResult } from '../../dist/result/ledger/index.js'

const [folder] = process.argv.slice(2)
for (const result of JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'test', 'result', 'ledger', 'golden', 'ledger.json'), 'utf8'),
))
  await writeResult(folder, result)
