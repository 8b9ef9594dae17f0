/** Task files of lm-evaluation-harness from its wheel: files that are read, none that run. */
import { type Installed, installWheel, type InstallOptions, type Wheel } from './install-wheel.ts'

/** The release whose tasks are read, and whose rules are kept. */
export const harnessRelease = '0.4.13'

const wheel: Wheel = {
  file: 'lm_eval-0.4.13-py3-none-any.whl',
  sha256: '5daaa1973bf874005f64f28d3834b875f6886f0d6475878e6a6c821994a5286a',
}

/** Python files too: a function is known by its wording, which is read. */
function taskFile(member: string): string | undefined {
  return /^lm_eval\/tasks\/.*\/[^/]+$/.test(member) && !/\.(?:md|sh|jpe?g|png|ipynb)$/i.test(member)
    ? member
    : undefined
}

/** Puts the task files into `<home>/0.4.13/lm_eval/tasks`, unless they are there. Throws what `installWheel` throws. */
export async function installHarness(
  home: string,
  { wheel: own = wheel, ...options }: InstallOptions & { wheel?: Wheel } = {},
): Promise<Installed> {
  return installWheel(
    home,
    { name: 'lm-eval', version: harnessRelease, wheel: own, placeOf: taskFile, needs: /\.yaml$/ },
    options,
  )
}
