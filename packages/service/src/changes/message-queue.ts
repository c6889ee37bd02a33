/** Messages on their way to one client. */
export interface MessageQueue<Message> extends AsyncIterable<Message> {
  push(...messages: readonly Message[]): void
  /** Ends the queue; what waits in it is dropped. */
  end(): void
}

/**
 * Creates a queue with one reader.
 *
 * @param overflow Makes the message that stands for those that waited for too long a time.
 */
export function messageQueue<Message>(
  overflow: (last: Message) => Message,
  { most = 1000 }: { readonly most?: number } = {},
): MessageQueue<Message> {
  let waiting: Message[] = []
  let isEnded = false
  let wake: (() => void) | undefined
  const next = async (): Promise<IteratorResult<Message>> => {
    for (;;) {
      if (isEnded) return { done: true, value: undefined }
      const [value] = waiting.splice(0, 1)
      if (value !== undefined) return { done: false, value }
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const end = (): void => {
    isEnded = true
    waiting = []
    wake?.()
  }
  return {
    push(...messages) {
      waiting.push(...messages)
      const last = waiting.at(-1)
      if (waiting.length > most && last !== undefined) waiting = [overflow(last)]
      wake?.()
    },
    end,
    [Symbol.asyncIterator]: () => ({
      next,
      return: () => {
        end()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
}
