/**
 * The wheels of OpenVINO that are fetched: one release, by platform, with their hashes. Which Python they are for does
 * not matter, the libraries are the same.
 */

import type { Wheel } from './install-wheel.ts'

export const openVinoVersion = '2026.4.0'

/** By `${process.platform}-${process.arch}`; where nothing stands, none is published. */
export const openVinoWheels: Readonly<Record<string, Wheel>> = {
  'linux-x64': {
    file: 'openvino-2026.4.0-22959-cp312-cp312-manylinux_2_28_x86_64.whl',
    sha256: '75245768f656afffd49078cee55b50b9501bb6778798aec3cc30e5613a86e370',
  },
  'linux-arm64': {
    file: 'openvino-2026.4.0-22959-cp312-cp312-manylinux_2_35_aarch64.whl',
    sha256: 'cf2e8b12fd08588a69b11a8d2fe48c4373fb96eec28564dfc4754062c3f90439',
  },
  'darwin-arm64': {
    file: 'openvino-2026.4.0-22959-cp312-cp312-macosx_11_0_arm64.whl',
    sha256: '171b876d1e732b2cf1c6a47d48dc6065fe7a36abe3d2a0035c8d3be36c0d67a1',
  },
  'win32-x64': {
    file: 'openvino-2026.4.0-22959-cp312-cp312-win_amd64.whl',
    sha256: '1d64a3178e750ea35f4095dc8ee6e0492795a5cf85c0dd24593a29f8a60c209d',
  },
}

/**
 * Core, C API, the processor's plugin, the reader of ONNX graphs, and the threads they run on; a third of what the
 * wheel holds.
 */
export function isNeeded(member: string): boolean {
  const [, name] = /^openvino\/libs\/([^/]+)$/.exec(member) ?? []
  return name !== undefined && needed.test(name)
}

const needed =
  /^(?:lib)?(?:openvino|openvino_c|openvino_onnx_frontend|openvino_(?:intel|arm)_cpu_plugin|tbb\w*?|hwloc)(?:\.[\d.]+)?\.(?:so|dylib|dll)(?:\.[\d.]+)?$/
