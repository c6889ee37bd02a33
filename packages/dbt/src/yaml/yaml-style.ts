import { type Document, isMap, isNode, isScalar, isSeq, Scalar, visit } from 'yaml'
import { columnOf, startOf } from './positions.ts'

/** The style of a file that new entries follow. */
export interface YamlStyle {
  /** The indentation of a map below its key, in blanks. */
  readonly indent: number
  /** True if lists are indented below their key. */
  readonly indentsLists: boolean
  /** The quoting of descriptions of one line. */
  readonly descriptions: 'PLAIN' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE'
}

/** Returns the most frequent style of a file. */
export function styleOf({
  document,
  text,
}: {
  readonly document: Document
  readonly text: string
}): YamlStyle {
  const indents: number[] = []
  const lists: boolean[] = []
  const quotes: YamlStyle['descriptions'][] = []
  visit(document, {
    Pair(_, { key, value }) {
      if (!isNode(key) || !isNode(value)) return
      const column = columnOf(text, startOf(key))
      if (isSeq(value) && value.flow !== true) lists.push(columnOf(text, startOf(value)) > column)
      if (isMap(value) && value.flow !== true) indents.push(columnOf(text, startOf(value)) - column)
      if (isScalar(key) && key.value === 'description' && isScalar(value)) quotes.push(quotesOf(value.type))
    },
  })
  return {
    indent: mostFrequent(indents.filter((indent) => indent > 0)) ?? 2,
    indentsLists: mostFrequent(lists) ?? true,
    descriptions: mostFrequent(quotes) ?? 'PLAIN',
  }
}

function quotesOf(type: string | null | undefined): YamlStyle['descriptions'] {
  return type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE ? type : Scalar.PLAIN
}

/** Returns the most frequent value, the first of several. */
function mostFrequent<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
