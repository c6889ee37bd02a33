// Highlighted code. Tokens become elements, so that no text is parsed as markup.
import type { ComponentChildren } from 'preact'
import { useCallback } from 'preact/hooks'
import { highlight } from './highlight.ts'

/** Longer files are shown without colours. */
const LONGEST = 200_000

/** Returns the lines of a text as elements. */
function linesOf(text: string, path: string): readonly ComponentChildren[] {
  if (text.length > LONGEST) return text.split('\n')
  return highlight(text, path).map((pieces) =>
    pieces.map(({ look, text }) => (look === undefined ? text : <span class={`code-${look}`}>{text}</span>)),
  )
}

interface CodeProps {
  readonly text: string
  readonly path: string
  /** The numbers of marked lines, from 1. */
  readonly marked?: { readonly first: number; readonly last: number }
}

export function Code({ marked: { first, last } = { first: 0, last: 0 }, path, text }: CodeProps) {
  const show = useCallback((line: HTMLElement | null) => line?.scrollIntoView({ block: 'center' }), [])
  const lines = linesOf(text.replace(/\n$/, ''), path)
  return (
    <div class="code" tabIndex={0} role="region" aria-label={path}>
      <pre>
        {lines.map((line, index) => (
          <span
            key={index}
            data-line={index + 1}
            class={index + 1 >= first && index + 1 <= last ? 'marked' : ''}
            ref={index + 1 === first ? show : null}
          >
            {line}
          </span>
        ))}
      </pre>
    </div>
  )
}
