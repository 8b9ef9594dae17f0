// The compiler does not keep the executable bit that `bin` needs.
import { chmodSync, existsSync } from 'node:fs'

const program = 'dist/cli/main.js'
if (existsSync(program)) chmodSync(program, 0o755)
