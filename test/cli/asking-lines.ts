/** Invocations of the commands that keep something, by command: they differ in one or two settings. */

/** What they are about. */
export interface Things {
  /** Two small models of one name, one of another name, and a language model. */
  readonly model: string
  readonly other: string
  readonly third: string
  readonly speaker: string
  /** Two tasks of two subsets, in train, validation and test. */
  readonly one: string
  readonly two: string
  /** One whose German scores are no numbers. */
  readonly broken: string
  readonly texts: string
  readonly otherTexts: string
  /** Two views of each text. */
  readonly pairs: string
  readonly probes: string
  readonly harness: string
  /** Experiment files, by name. */
  readonly experiment: (name: string) => string
  readonly recipe: string
  /** A folder of results that no invocation writes to, and its recorded scores. */
  readonly results: string
  /** Another: four models in two representations, on three tasks. */
  readonly ranked: string
  readonly scores: string
}

/** `out`: a folder of the invocation's own files, which another one may have left something in. */
export type Lines = (things: Things, out: string) => Readonly<Record<string, readonly string[]>>

const scored = ({ one, two }: Things): string[] => ['--task-file', one, '--task-file', two]
const cached = (out: string): string[] => ['--cache-dir', `${out}/cache`]
const kept = (out: string): string[] => ['--results', `${out}/results`, ...cached(out)]

export const asking: Readonly<Record<string, Lines>> = {
  evaluate: ({ model, one, broken }, out) => {
    const line = (...more: string[]): string[] => ['evaluate', model, '--task-file', broken, ...kept(out), ...more]
    return {
      'a task that loses a subset': line(),
      '--subsets en': line('--subsets', 'en'),
      '--subsets de': line('--subsets', 'de'),
      '--splits': line('--splits', 'validation'),
      '--splits of both': line('--splits', 'test,validation'),
      'another task too': line('--task-file', one),
    }
  },
  similarity: ({ model, other, third, texts, otherTexts }, out) => {
    const line = (...more: string[]): string[] => [
      'similarity',
      model,
      '--out',
      `${out}/matrices`,
      ...cached(out),
      ...more,
    ]
    return {
      plain: line('--texts', texts),
      'other texts': line('--texts', otherTexts),
      'other model': ['similarity', other, '--texts', texts, '--out', `${out}/matrices`, ...cached(out)],
      'two models': ['similarity', model, third, '--texts', texts, '--out', `${out}/matrices`, ...cached(out)],
      '--metrics': line('--texts', texts, '--metrics', 'rsa,jaccard'),
      '--pooling': line('--texts', texts, '--pooling', 'max'),
      '--rows': line('--texts', texts, '--rows', '9'),
      '--sample-size --seed': line('--texts', texts, '--sample-size', '8', '--seed', '1'),
      '--sample-size': line('--texts', texts, '--sample-size', '8'),
      '--transform': line('--texts', texts, '--transform', 'arccos'),
      '--final-norm': line('--texts', texts, '--final-norm', 'always'),
    }
  },
  metrics: ({ model, other, texts, otherTexts, pairs }, out) => {
    const line = (...more: string[]): string[] => [
      'metrics',
      model,
      '--out',
      `${out}/metrics.json`,
      ...cached(out),
      ...more,
    ]
    return {
      plain: line('--texts', texts),
      'other texts': line('--texts', otherTexts),
      'other model': ['metrics', other, '--texts', texts, ...cached(out)],
      'one metric': line('--texts', texts, '--metrics', 'effective_rank'),
      '--seed': line('--texts', texts, '--seed', '1'),
      '--pairs': line('--texts', texts, '--pairs', pairs, '--metrics', 'dime,lidar'),
      '--augmentations': line('--texts', texts, '--augmentations', '3', '--metrics', 'dime,lidar'),
      '--pooling': line('--texts', texts, '--pooling', 'cls'),
      '--rows': line('--texts', texts, '--rows', '9'),
      '--max-length': line('--texts', texts, '--max-length', '3'),
      '--prompt': line('--texts', texts, '--prompt', 'a '),
      '--representation': line('--texts', texts, '--representation', 'h0-max,default'),
    }
  },
  aggregate: (things, out) => {
    const { model, other, one, texts } = things
    const line = (...more: string[]): string[] => ['aggregate', model, ...scored(things), ...kept(out), ...more]
    const some = ['--methods', 'weighted,mean,greedy_delta']
    return {
      plain: line(),
      'one task': ['aggregate', model, '--task-file', one, ...kept(out)],
      'other model': ['aggregate', other, ...scored(things), ...kept(out), ...some],
      '--methods': line(...some),
      '--lambda': line(...some, '--lambda', '0.1,2'),
      '--similarity': line(...some, '--similarity', 'rsa'),
      '--quality': line(...some, '--quality', 'diagonal'),
      '--subsets': line(...some, '--subsets', 'de'),
      '--pooling': line(...some, '--pooling', 'max,cls'),
      '--layer-norm': line(...some, '--layer-norm', 'zscore'),
      '--pca-corpus': line('--methods', 'all_pca', '--pca-corpus', texts, '--components', '2'),
      '--max-length --tables': line(...some, '--max-length', '3', '--tables', `${out}/tables`),
      '--seed --sample-size': line(...some, '--seed', '3', '--sample-size', '9'),
    }
  },
  truncate: (things, out) => {
    const { model, other, one } = things
    const line = (...more: string[]): string[] => ['truncate', model, ...scored(things), ...kept(out), ...more]
    return {
      plain: line(),
      'one task': ['truncate', model, '--task-file', one, ...kept(out)],
      'other model': ['truncate', other, ...scored(things), ...kept(out)],
      '--max-loss': line('--max-loss', '0.9'),
      '--subsets': line('--subsets', 'de', '--max-loss', '0.5'),
      '--pooling': line('--pooling', 'max'),
      '--out': line('--max-loss', '0.9', '--out', `${out}/cut`, '--overwrite'),
      '--out --dtype': line('--out', `${out}/cut`, '--overwrite', '--dtype', 'float16', '--max-length', '4'),
    }
  },
  search: (things, out) => {
    const { model, third, recipe, scores, texts, two } = things
    const to = (name: string): string[] => ['--out', `${out}/${name}`, ...kept(out)]
    const line = (name: string, ...more: string[]): string[] => [
      'search',
      model,
      third,
      ...scored(things),
      '--budget',
      '4',
      ...to(name),
      ...more,
    ]
    return {
      plain: line('plain'),
      random: line('random', '--policy', 'random'),
      '--seed': line('seed', '--policy', 'random', '--seed', '3'),
      halving: line('halving', '--policy', 'halving', '--limit', '0.5', '--budget', '3'),
      '--subsets': line('subsets', '--policy', 'sweep', '--subsets', 'de'),
      '--baseline --reward': line('baseline', '--policy', 'sweep', '--baseline', 'model', '--reward', 'raw'),
      '--pooling': line('pooling', '--policy', 'sweep', '--pooling', 'max'),
      '--context --texts': line('context', '--context', 'effective_rank', '--texts', texts),
      '--representation --means': line(
        'means',
        '--policy',
        'sweep',
        '--representation',
        'h0-max',
        '--means',
        '2',
        '--budget',
        '6',
      ),
      '--vary': [
        'search',
        '--merge',
        recipe,
        '--vary',
        't=0:1:0.5',
        '--task-file',
        two,
        '--policy',
        'sweep',
        ...to('vary'),
      ],
      '--replay': [
        'search',
        '--replay',
        scores,
        '--policy',
        'random,sweep',
        '--seeds',
        '3',
        '--budget',
        '2',
        '--average-subsets',
      ],
      '--replay --depth': [
        'search',
        '--replay',
        scores,
        '--policy',
        'linucb',
        '--depth',
        '--budget',
        '2',
        '--average-subsets',
      ],
    }
  },
  probe: ({ model, other, probes }, out) => {
    const asked = ['--data', `zorro:${probes}`, '--seeds', '0', ...kept(out)]
    const line = (...more: string[]): string[] => ['probe', model, ...asked, ...more]
    return {
      plain: line(),
      'other model': ['probe', other, ...asked],
      '--seeds': ['probe', model, '--data', `zorro:${probes}`, '--seeds', '0,1', ...kept(out)],
      '--layers': line('--layers', 'last'),
      '--only': line('--only', '*-order'),
      '--controls': line('--controls', 'randomization'),
      '--controls permutation': line('--controls', 'permutation'),
      '--probe': line('--probe', 'mlp', '--only', '*-order'),
      '--mdl': line('--mdl', '--only', '*-order'),
      '--profile': line('--profile', 'holmes'),
      '--train-portion': line('--train-portion', '1/2'),
      '--max-length': line('--max-length', '3'),
      '--prompt': line('--prompt', 'b '),
    }
  },
  harness: ({ speaker, harness }, out) => {
    const line = (...more: string[]): string[] => [
      'harness',
      speaker,
      '--include_path',
      harness,
      '--bootstrap_iters',
      '20',
      '--output_path',
      `${out}/harness`,
      '--use_cache',
      `${out}/answers.jsonl`,
      ...cached(out),
      ...more,
    ]
    const choose = (...more: string[]): string[] => line('--tasks', 'toy_choose', ...more)
    return {
      group: line('--tasks', 'toy'),
      plain: choose(),
      '--limit': choose('--limit', '2'),
      'a share': choose('--limit', '0.5', '--log_samples'),
      '--samples': choose('--samples', '{"toy_choose": [1, 3]}'),
      '--num_fewshot': choose('--num_fewshot', '2'),
      '--seed': choose('--num_fewshot', '2', '--seed', '5'),
      '--system_instruction': choose('--system_instruction', 'Be brief.'),
      '--gen_kwargs': line('--tasks', 'toy_write', '--gen_kwargs', 'max_gen_toks=3'),
      write: line('--tasks', 'toy_write'),
      '--predict_only': line('--tasks', 'toy_write', '--predict_only', '--log_samples'),
      max_length: choose('--model_args', 'max_length=24'),
    }
  },
  run: ({ experiment }, out) => {
    const line = (name: string, ...more: string[]): string[] => [
      'run',
      experiment(name),
      '--out',
      `${out}/experiment`,
      ...cached(out),
      ...more,
    ]
    return {
      plain: line('plain'),
      layers: line('layers'),
      subsets: line('subsets'),
      'max length': line('length'),
      pooling: line('pooling'),
      'other model': line('other'),
      'one task': line('task'),
      aggregate: line('aggregate'),
      probes: line('probes'),
    }
  },
  encode: ({ model, other, speaker, texts, otherTexts }, out) => {
    const line = (...more: string[]): string[] => [
      'encode',
      model,
      texts,
      '--out',
      `${out}/vectors.npy`,
      ...cached(out),
      ...more,
    ]
    return {
      plain: line(),
      'other texts': ['encode', model, otherTexts, '--out', `${out}/vectors.npy`, ...cached(out)],
      'other model': ['encode', other, texts, '--out', `${out}/vectors.npy`, ...cached(out)],
      '--representation': line('--representation', 'h0'),
      '--layers': ['encode', model, texts, '--layers', 'all', '--out', `${out}/vectors.safetensors`, ...cached(out)],
      '--tokens': ['encode', model, texts, '--tokens', '--out', `${out}/vectors.safetensors`, ...cached(out)],
      '--padding-side': [
        'encode',
        model,
        texts,
        '--tokens',
        '--padding-side',
        'left',
        '--out',
        `${out}/vectors.safetensors`,
        ...cached(out),
      ],
      '--logits': [
        'encode',
        speaker,
        otherTexts,
        '--tokens',
        '--logits',
        '--limit',
        '2',
        '--out',
        `${out}/vectors.safetensors`,
        ...cached(out),
      ],
      '--pooling': line('--pooling', 'max'),
      '--max-length': line('--max-length', '3'),
      '--prompt': line('--prompt', 'a '),
      '--dtype': line('--dtype', 'int8'),
      '--limit': line('--limit', '3'),
      'to standard output': ['encode', model, texts, '--out', '-', ...cached(out)],
    }
  },
  compare: (things, out) => {
    const { model, third, results, two } = things
    const line = (...more: string[]): string[] => ['compare', model, ...kept(out), '--score', ...more]
    const rows = ['--representation', 'default,h0']
    return {
      plain: line(...rows, ...scored(things)),
      'one task': line(...rows, '--task-file', two),
      '--subsets': line(...rows, ...scored(things), '--subsets', 'de'),
      '--splits': line(...rows, ...scored(things), '--splits', 'validation'),
      '--pooling': line(...rows, ...scored(things), '--pooling', 'max'),
      '--max-length': line(...rows, ...scored(things), '--max-length', '3'),
      'another model': line(third, ...scored(things)),
      '--changed': line(...rows, ...scored(things), '--changed', '1', '--out', `${out}/page.md`),
      'a folder': ['compare', 'org/model', 'org/model#h2', '--results', results],
      'a folder, a task': ['compare', 'org/model', 'org/model#h2', '--results', results, '--tasks', 'Labels'],
    }
  },
  report: ({ results, ranked, scores }, out) => {
    const line = (...more: string[]): string[] => ['report', results, ...more]
    return {
      plain: line(),
      '--out': line('--out', `${out}/report.json`),
      '--tasks': line('--tasks', 'Labels', '--out', `${out}/report.json`),
      '--representation': line('--representation', 'h1,h2'),
      '--baseline': line('--baseline', 'h1'),
      '--parents': ['report', ranked, '--parents', 'org/m0#h2,org/m1#h2'],
      scores: ['report', scores, '--average-subsets'],
      page: line('--out', `${out}/report.html`, '--baseline', 'h1'),
    }
  },
  correlate: ({ ranked: results }, out) => {
    const line = (...more: string[]): string[] => ['correlate', '--x', `results:${results}#default`, ...more]
    return {
      alone: line(),
      plain: line('--y', `results:${results}#h2`, '--minimum', '2'),
      '--method': line('--y', `results:${results}#h2`, '--minimum', '2', '--method', 'spearman'),
      '--seed': line('--y', `results:${results}#h2`, '--minimum', '2', '--seed', '3'),
      '--tables': line('--y', `results:${results}#h2`, '--minimum', '2', '--tables', `${out}/rankings`),
    }
  },
}
