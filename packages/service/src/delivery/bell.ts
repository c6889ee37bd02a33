/** A pause that can be cut short. */
export interface Bell {
  /** Ends the pause under way; without one, the next. */
  readonly ring: () => void
  /** Whether it rang. */
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
