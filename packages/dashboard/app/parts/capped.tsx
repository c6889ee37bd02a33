import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { number } from './format.ts'

/** The number of rows shown first, and added by each click. */
const STEP = 200

interface CappedProps<Item> {
  readonly items: readonly Item[]
  readonly children: (shown: readonly Item[]) => ComponentChildren
}

/** Shows the first of many items and a button for more, so that long lists stay fast. */
export function Capped<Item>({ children, items }: CappedProps<Item>) {
  const [most, setMost] = useState(STEP)
  return (
    <>
      {children(items.length > most ? items.slice(0, most) : items)}
      {items.length > most && (
        <p class="pages">
          <button type="button" onClick={() => setMost(most + STEP)}>
            {words.more(number(Math.min(STEP, items.length - most)), number(items.length - most))}
          </button>
        </p>
      )}
    </>
  )
}
