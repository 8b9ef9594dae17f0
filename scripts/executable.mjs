// The end of a build. The compiler does not keep the executable bit that `bin` needs; the stamp says when all was built.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { wholeStamp } from './is-built.mjs'

const program = 'dist/cli/main.js'
if (existsSync(program)) chmodSync(program, 0o755)
mkdirSync(dirname(wholeStamp), { recursive: true })
writeFileSync(wholeStamp, '')
