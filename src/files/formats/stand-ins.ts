/** What sometimes lies where a file should be: a Git LFS pointer, a web page, a file of another world. */
import { fault } from '#core'

/** Refuses what only stands for the file (`format.lfs`). `head`: the first bytes, some hundred are enough. */
export function refuseStandIn(head: Uint8Array, place: string): void {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString('latin1')
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    throw fault('format.lfs', {
      place,
      what: 'a Git LFS pointer, not the file itself',
      hint: 'run `git lfs pull` in the repository, or download the file from the hub',
    })
  }
  if (/^\s*<(?:!doctype\s+html|html|\?xml)/i.test(text)) {
    throw fault('format.lfs', {
      place,
      what: 'a web page, not the file itself',
      hint: 'the download returned an error page: fetch the file again',
    })
  }
}

/** Weight formats that are known but not read, by first bytes. */
export function foreignFormat(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString('latin1')
  if (text.startsWith('\x89HDF\r\n\x1a\n')) return 'HDF5'
  if (text.startsWith('\x1f\x8b')) return 'gzip'
  if (text.slice(257, 262) === 'ustar') return 'tar'
  return undefined
}
