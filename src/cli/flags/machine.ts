/** Where and how fast a model runs. */
import type { ComputeType } from '#model/passes'
import { parseDevice } from '#core'
import type { Engine } from '#platform/runtime'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { bytes, positive } from '../spec/parsers.ts'

export const batchTokens = {
  flags: '--batch-tokens <n>',
  help: 'number of tokens per batch, padding included',
  parse: positive('--batch-tokens'),
} as const satisfies Flag

export const threads = {
  flags: '--threads <n>',
  help: 'number of threads (default: $STRATA_THREADS, otherwise the cores that Slurm and the control group leave)',
  parse: positive('--threads'),
} as const satisfies Flag

export const device = {
  flags: '--device <name>',
  help: 'device to run on: cpu, webgpu, cuda (cuda:1 is the second), coreml or dml; strata doctor lists those that work',
  parse: (text) => parseDevice(text, '--device'),
  fallback: 'cpu',
} as const satisfies Flag

export const engine = {
  flags: '--engine <name>',
  help: 'engine to run on; auto takes openvino where it is installed',
  choices: wordsOf<Engine | 'auto'>()(['onnxruntime', 'openvino', 'auto']),
  fallback: 'onnxruntime',
} as const satisfies Flag

export const cacheDir = {
  flags: '--cache-dir <folder>',
  help: 'cache of layer vectors (default: $STRATA_CACHE, otherwise ~/.cache/strata)',
} as const satisfies Flag

export const cacheLimit = {
  flags: '--cache-limit <size>',
  help: 'maximum size of that cache (default: 50 GB)',
  parse: bytes('--cache-limit'),
} as const satisfies Flag

export const dtype = {
  flags: '--dtype <type>',
  help: 'type to compute in: int8 on onnxruntime; bfloat16 and float16 on cuda, and on openvino where the processor has them',
  choices: wordsOf<ComputeType>()(['float32', 'bfloat16', 'float16', 'int8']),
  fallback: 'float32',
} as const satisfies Flag

export const hardware = [batchTokens, threads, device, engine, cacheDir, cacheLimit] as const satisfies readonly Flag[]
export const machine = [...hardware, dtype] as const satisfies readonly Flag[]
