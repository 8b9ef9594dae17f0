/** `strata run`: an experiment file, by one process or by many. */
export { runFile as run } from '../../experiment/run-file.ts'
