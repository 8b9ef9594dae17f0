/**
 * cards: model cards – front matter as the hub reads it, read and written; licences of models made from others.
 *
 * In: files of repositories, names, scores. Out: front matter and sections of README.md; the statements of a card.
 * Never: a tensor, a request of its own, a score that nobody gave, legal advice.
 */
export { type CardFields, cardFields } from './card-fields.ts'
export { type BaseRelation, type CardHead, cardHead, joinCardLicences, licenceSection } from './card-head.ts'
export { type InputLicence, type JoinedLicence, licenceText, type StatedLicence } from './joined-licence.ts'
export { type CardScore, type ModelIndex, toModelIndex } from './model-index.ts'
export { toPipelineTag } from './pipeline-tag.ts'
export { type ModelCard, readCard } from './read-card.ts'
