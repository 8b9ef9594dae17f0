/**
 * hub: the files of a repository – from a folder, the Hugging Face cache or the hub itself – and uploads of a folder.
 *
 * In: references of the user, the environment, a folder. Out: `RepoFiles`, local paths of complete and verified files,
 * commits; responses of other hosts, requested without the hub's token.
 * Never: a tensor, the meaning of a config, the console, a token in any message, a request when offline or when the
 * cache can answer, a change to the user's files.
 */
export { askElsewhere, type AskOptions } from './ask-elsewhere.ts'
export { type CachedRepo, type CachedRevision, listCachedRepos } from './cached-repos.ts'
export { folderIdentity, type RepoLabel, repoLabel } from './identity.ts'
export { listRevisions, type ListRevisionsOptions } from './list-revisions.ts'
export type { RepoType } from './names.ts'
export { openRepo, type OpenRepoOptions } from './open.ts'
export type { OpenedRepo } from './opened-repo.ts'
export { type Answered, postElsewhere, type PostOptions } from './post-elsewhere.ts'
export { prefetch, type PrefetchOptions } from './prefetch.ts'
export { inParallel } from './in-parallel.ts'
export { openPull, type Pull, type PullOptions, type PullPlan } from './pull.ts'
export { planPush, type PushOptions, type PushPlan } from './push/push-plan.ts'
export { push, type Pushed } from './push/push.ts'
export { type Reachability, reachable } from './reachable.ts'
export { type HubReference, parseReference, type PathReference, type Reference, referenceText } from './reference.ts'
export { type CachedRevisionOptions, removeRevision, revisionCached } from './remove-revision.ts'
export { folderFiles, folderNamed } from './repo-folder.ts'
export { type HubSettings, hubSettings, type Patience } from './settings.ts'
