/** Lists of tasks under one name, to be used wherever tasks are named. */

const presets: Readonly<Record<string, readonly string[]>> = {
  /** Table 1 of Skean et al. 2025, "Layer by Layer": what its scores by layer and checkpoint are of. */
  layer_by_layer_32: [
    'SprintDuplicateQuestions',
    'TwitterSemEval2015',
    'TwitterURLCorpus',
    'AmazonCounterfactualClassification',
    'AmazonReviewsClassification',
    'Banking77Classification',
    'EmotionClassification',
    'MTOPDomainClassification',
    'MTOPIntentClassification',
    'MassiveIntentClassification',
    'MassiveScenarioClassification',
    'ToxicConversationsClassification',
    'TweetSentimentExtractionClassification',
    'ArxivClusteringS2S',
    'BiorxivClusteringS2S',
    'MedrxivClusteringS2S',
    'RedditClustering',
    'StackExchangeClustering',
    'TwentyNewsgroupsClustering',
    'AskUbuntuDupQuestions',
    'MindSmallReranking',
    'SciDocsRR',
    'StackOverflowDupQuestions',
    'BIOSSES',
    'SICK-R',
    'STS12',
    'STS13',
    'STS14',
    'STS15',
    'STS16',
    'STS17',
    'STSBenchmark',
  ],
  /** The `core` of run_mteb_eval (layer aggregation on MTEB). */
  core: [
    'NFCorpus',
    'SciFact',
    'FiQA2018',
    'Banking77Classification',
    'AmazonCounterfactualClassification',
    'EmotionClassification',
    'STSBenchmark',
    'SprintDuplicateQuestions',
  ],
  /** `--mode quick` of mteb_evaluation (static embeddings of October 2025). */
  quick: [
    'Banking77Classification',
    'TwentyNewsgroupsClustering',
    'SprintDuplicateQuestions',
    'NFCorpus',
    'SciFact',
    'STSBenchmark',
    'SICK-R',
  ],
  /** `--mode full` of the same: 26 tasks, although it speaks of 58. ArxivClusteringP2P has another spelling there. */
  full: [
    'Banking77Classification',
    'AmazonReviewsClassification',
    'EmotionClassification',
    'ToxicConversationsClassification',
    'ArxivClusteringP2P',
    'StackExchangeClustering',
    'TwentyNewsgroupsClustering',
    'SprintDuplicateQuestions',
    'TwitterSemEval2015',
    'AskUbuntuDupQuestions',
    'StackOverflowDupQuestions',
    'ArguAna',
    'FiQA2018',
    'NFCorpus',
    'QuoraRetrieval',
    'SCIDOCS',
    'SciFact',
    'TRECCOVID',
    'STS12',
    'STS13',
    'STS14',
    'STS15',
    'STS16',
    'STSBenchmark',
    'SICK-R',
    'SummEval',
  ],
}

/** The preset of every task of a benchmark: that of `--benchmark`, otherwise the one below. */
export const everyTask = 'all'

/** The English benchmark of 56 tasks, which is what `all` was when papers on layers were written. */
export const usualBenchmark = 'MTEB(eng, v1)'

/** The same names, those of presets replaced by what they stand for. */
export function withPresets(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (Object.hasOwn(presets, name) ? (presets[name] ?? []) : [name]))
}

export const presetNames: readonly string[] = [...Object.keys(presets), everyTask]
