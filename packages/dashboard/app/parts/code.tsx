// Code in colours: the tree of the highlighter becomes elements, so that no text is ever read as markup.
import hljs from 'highlight.js/lib/core'
import yaml from 'highlight.js/lib/languages/yaml'
import type { ComponentChildren } from 'preact'
import { useCallback } from 'preact/hooks'
import { dbtSql } from './dbt-sql.ts'

hljs.registerLanguage('sql', dbtSql)
hljs.registerLanguage('yaml', yaml)

/** Longer files are shown without colours, which would take seconds. */
const LONGEST = 200_000

interface Span {
  readonly scope?: string
  readonly children: readonly (Span | string)[]
}

/** The lines of a text, each as what it shows. */
function linesOf(text: string, path: string): ComponentChildren[] {
  const language = path.endsWith('.sql') ? 'sql' : /\.ya?ml$/.test(path) ? 'yaml' : undefined
  if (language === undefined || text.length > LONGEST) return text.split('\n')
  // The emitter of the result holds the tree; its printed form is not used.
  const { _emitter: emitter } = hljs.highlight(text, { language }) as unknown as {
    readonly _emitter: { readonly rootNode: Span }
  }
  const lines: ComponentChildren[][] = [[]]
  const add = (node: Span | string, scope: string | undefined): void => {
    if (typeof node !== 'string') {
      for (const child of node.children) add(child, node.scope ?? scope)
      return
    }
    for (const [index, part] of node.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '')
        lines
          .at(-1)
          ?.push(
            scope === undefined ? part : <span class={`hljs-${scope.replaceAll('.', ' ')}`}>{part}</span>,
          )
    }
  }
  add(emitter.rootNode, undefined)
  return lines
}

interface CodeProps {
  readonly text: string
  readonly path: string
  /** The lines that are looked for, from 1. */
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
