import { bareMarkdown } from './plain-markdown.ts'

/** Passes on the text of a model line by line, because only whole lines can be cleaned. */
export interface LineStream {
  readonly add: (delta: string) => void
  /** Passes on the rest. */
  readonly end: () => void
  /** True if anything was passed on. */
  readonly hasSaid: () => boolean
}

/** Longer lines are passed on in parts of this length. */
const LONGEST_LINE = 4000

export function lineStream(say: (text: string) => void): LineStream {
  let rest = ''
  let hasSaid = false
  const pass = (text: string): void => {
    const shown = bareMarkdown(text)
    if (shown === '') return
    hasSaid = true
    say(shown)
  }
  return {
    add: (delta) => {
      rest += delta
      const end = rest.length > LONGEST_LINE ? rest.length : rest.lastIndexOf('\n') + 1
      if (end > 0) pass(rest.slice(0, end))
      rest = rest.slice(end)
    },
    end: () => {
      if (rest !== '') pass(rest)
      rest = ''
    },
    hasSaid: () => hasSaid,
  }
}
