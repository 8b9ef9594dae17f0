/**
 * Keeps one model open at a time: consecutive users of the same one share it, because two at once would double the
 * memory.
 */
import type { Model } from '#model/checkpoint'

export interface OneModel<Asked> {
  /** The open model, or another in its place. */
  readonly of: (asked: Asked) => Promise<Model>
  readonly close: () => Promise<void>
}

/** `nameOf`: equal names mean the same model. */
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
