/**
 * One model open at a time: those who ask for the same one after another share it, and two at once would take twice the
 * memory.
 */
import type { Model } from '#model/checkpoint'

export interface OneModel<Asked> {
  /** The model that is open, or another in its place. */
  readonly of: (asked: Asked) => Promise<Model>
  readonly close: () => Promise<void>
}

/** `nameOf`: what is asked with the same name is the same model. */
export function oneModel<Asked>(
  open: (asked: Asked) => Promise<Model>,
  nameOf: (asked: Asked) => string,
): OneModel<Asked> {
  let held: { name: string; model: Model } | undefined
  const close = async (): Promise<void> => {
    const { model } = held ?? {}
    held = undefined
    await model?.close()
  }
  return {
    async of(asked) {
      const name = nameOf(asked)
      if (held?.name === name) return held.model
      await close()
      held = { name, model: await open(asked) }
      return held.model
    },
    close,
  }
}
