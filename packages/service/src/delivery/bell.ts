/** A pause that can be cut short. */
export interface Bell {
  /** Ends the pause under way; without one, the next. */
  readonly ring: () => void
  /** Resolves to true if it rang, false if the time ran out. */
  readonly wait: (milliseconds: number) => Promise<boolean>
}

export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(milliseconds) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, milliseconds)
        await promise
        clearTimeout(timer)
        wake = undefined
      }
      const rang = hasRung
      hasRung = false
      return rang
    },
  }
}
