/** How a model compares vectors, in the words of sentence-transformers. */
export const similarities = ['cosine', 'dot', 'euclidean', 'manhattan'] as const
export type Similarity = (typeof similarities)[number]
