import { setTimeout as sleep } from 'node:timers/promises'

interface UntilOptions {
  readonly what: string
  readonly seconds: number
}

/** What `read` gives, as soon as it gives something. */
export async function until<Value>(
  read: () => Value | undefined | Promise<Value | undefined>,
  { seconds, what }: UntilOptions,
): Promise<Value> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (Date.now() > end) throw new Error(`expected ${what} within ${seconds} s, and it did not come`)
    await sleep(50)
  }
}
