/**
 * The wheels that ONNX Runtime needs on CUDA: its own of the release that Strata has, and NVIDIA's libraries of CUDA
 * 13.2, with their hashes and sizes. Which Python they are for does not matter, the libraries are the same.
 */
import type { Wheel } from './install-wheel.ts'

export interface CudaWheel {
  /** As the index calls it. */
  readonly name: string
  readonly version: string
  readonly wheel: Wheel
  readonly byteLength: number
  readonly licence: string
  /** Names of the files that are needed. */
  readonly needed: RegExp
}

/** The release that they are for. */
export const cudaVersion = '1.30.0'

const nvidia = 'NVIDIA CUDA Toolkit EULA'

/** By `${process.platform}-${process.arch}`; where nothing stands, the package has no CUDA. */
export const cudaWheels: Readonly<Record<string, readonly CudaWheel[]>> = {
  'linux-x64': [
    {
      name: 'onnxruntime-gpu',
      version: cudaVersion,
      wheel: {
        file: 'onnxruntime_gpu-1.30.0-cp312-cp312-manylinux_2_28_x86_64.whl',
        sha256: '6acc0f4b3d5ac5f2984432faa59dd8fcce6775f8b43a7140afa0f322c7a703b1',
      },
      byteLength: 246_685_715,
      licence: 'MIT',
      needed: /^libonnxruntime(?:\.so\.1\.30\.0|_providers_(?:cuda|shared)\.so)$/,
    },
    {
      name: 'nvidia-cuda-runtime',
      version: '13.2.86',
      wheel: {
        file: 'nvidia_cuda_runtime-13.2.86-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
        sha256: '3498247680dfddce31bad102af7e3e26fc795342a3cac64722bb0fa95e7f60f0',
      },
      byteLength: 2_323_576,
      licence: nvidia,
      needed: /^libcudart\.so\.13$/,
    },
    {
      name: 'nvidia-cublas',
      version: '13.4.1.3',
      wheel: {
        file: 'nvidia_cublas-13.4.1.3-py3-none-manylinux_2_27_x86_64.whl',
        sha256: 'a5917cb642cfb07f4a0231ee16aec7e2e0357d8cb8b1b78a0c9c68dba3e6afc7',
      },
      byteLength: 404_870_805,
      licence: nvidia,
      needed: /^libcublas(?:Lt)?\.so\.13$/,
    },
    {
      name: 'nvidia-curand',
      version: '10.4.2.66',
      wheel: {
        file: 'nvidia_curand-10.4.2.66-py3-none-manylinux_2_27_x86_64.whl',
        sha256: '9bb3796a2f6223454b2e326e3d7572c1500cfa4d629de827676b4eeecd30ab0c',
      },
      byteLength: 59_954_122,
      licence: nvidia,
      needed: /^libcurand\.so\.10$/,
    },
    {
      name: 'nvidia-cuda-nvrtc',
      version: '13.2.86',
      wheel: {
        file: 'nvidia_cuda_nvrtc-13.2.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl',
        sha256: '8111c5130e967b78222ea2124145f8efe9ce201b752b2579a2513100a53be1c5',
      },
      byteLength: 47_018_468,
      licence: nvidia,
      needed: /^libnvrtc(?:-builtins)?\.so\.13(?:\.2)?$/,
    },
    {
      name: 'nvidia-cudnn-cu13',
      version: '9.20.0.48',
      wheel: {
        file: 'nvidia_cudnn_cu13-9.20.0.48-py3-none-manylinux_2_27_x86_64.whl',
        sha256: '0c45dd8eeb50b603f07995b1b300c62ffe6a1980482b82b3bcf94a4ca9d49304',
      },
      byteLength: 366_173_588,
      licence: 'NVIDIA cuDNN SLA',
      needed: /^libcudnn(?:_\w+)?\.so\.9$/,
    },
  ],
}

/** Where a member goes: libraries by their name, texts of licences under the name of their package. */
export function placeIn({ name, needed }: Pick<CudaWheel, 'name' | 'needed'>): (member: string) => string | undefined {
  return (member) => {
    const file = member.split('/').at(-1) ?? ''
    if (needed.test(file)) return file
    return /^(?:licen[cs]e|thirdpartynotices)(?:\.txt|\.md)?$/i.test(file) ? `licences/${name}-${file}` : undefined
  }
}
