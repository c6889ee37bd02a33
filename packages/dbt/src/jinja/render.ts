import { type Block, blocksOf } from './blocks.ts'
import { readExpression } from './expression.ts'
import { isTruthy, type JinjaValue, printJinja, type RenderContext, Unrenderable } from './jinja-value.ts'

/**
 * Renders a text with the part of Jinja that profiles and properties use. A text that is a single expression returns
 * its value, such as a number after `| as_number`.
 *
 * @throws {Unrenderable} For unsupported Jinja and for unknown values.
 */
export function renderText(text: string, context: RenderContext): JinjaValue {
  if (!text.includes('{')) return text
  const blocks = blocksOf(text)
  const [only] = blocks
  if (only?.kind === 'expression' && blocks.length === 1) return readExpression(inner(only))(context)
  return renderBlocks(trimmed(blocks), context)
}

/** The content without the dashes that trim white space. */
function inner({ source }: Block): string {
  return source.replace(/^[-+]/, '').replace(/-$/, '').trim()
}

/** Trims white space at dashes: `{%- if … -%}`. */
function trimmed(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, index) => {
    if (block.kind !== 'text') return block
    const [before, after] = [blocks[index - 1], blocks[index + 1]]
    const start = before?.source.endsWith('-') ? block.source.trimStart() : block.source
    return {
      ...block,
      source: after?.kind !== 'text' && after?.source.startsWith('-') ? start.trimEnd() : start,
    }
  })
}

/** An open `if`, and the branches taken so far. */
interface Branch {
  readonly isTaken: boolean
  readonly wasTaken: boolean
  /** True if the surrounding branch is taken. */
  readonly isReached: boolean
}

function renderBlocks(blocks: readonly Block[], context: RenderContext): string {
  const open: Branch[] = []
  const texts: string[] = []
  for (const block of blocks) {
    const isReached = open.every(({ isTaken }) => isTaken)
    if (block.kind === 'statement') step(open, inner(block), context)
    else if (isReached)
      texts.push(block.kind === 'text' ? block.source : printJinja(readExpression(inner(block))(context)))
  }
  if (open.length > 0) throw new Unrenderable('{% if %} has no {% endif %}')
  return texts.join('')
}

function step(open: Branch[], statement: string, context: RenderContext): void {
  const [, word = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(statement) ?? []
  if (word === 'if') {
    const isReached = open.every(({ isTaken }) => isTaken)
    const isTaken = isReached && isTruthy(readExpression(rest)(context))
    open.push({ isTaken, wasTaken: isTaken, isReached })
    return
  }
  const branch = open.pop()
  if (!branch || !['elif', 'else', 'endif'].includes(word))
    throw new Unrenderable(`{% ${word} %} is not supported`)
  if (word === 'endif') return
  const isNext = branch.isReached && !branch.wasTaken
  const isTaken = isNext && (word === 'else' || isTruthy(readExpression(rest)(context)))
  open.push({ ...branch, isTaken, wasTaken: branch.wasTaken || isTaken })
}
