// A process of its own that brings one file from a hub: node fetch-one.mjs ENDPOINT CACHE REPO@REVISION PATH. Prints bytes so far, a line each, then the local path.
import { hubSettings, openRepo } from '../../../dist/files/hub/index.js'

const [endpoint, cacheFolder, reference, path] = process.argv.slice(2)
const settings = hubSettings({ HF_ENDPOINT: endpoint, HF_HUB_CACHE: cacheFolder, HF_TOKEN_PATH: '/nowhere' })
const files = await openRepo(reference, { settings, onProgress: ({ done }) => process.stdout.write(`${done}\n`) })
process.stdout.write(`${await files.local(path)}\n`)
