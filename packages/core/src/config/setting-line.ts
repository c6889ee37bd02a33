import { type Document, isAlias, isMap, isNode, LineCounter, parseDocument } from 'yaml'

/** Finds the lines of settings in one text. */
export type SettingLines = (path: readonly string[]) => number | undefined

/**
 * Returns a function that finds the line of a setting in a `stagecraft.yml`: the 1-based line of the last key of a
 * path, or undefined if the text does not set it. Maps may be written as blocks, in braces, or as aliases.
 */
export function settingLines(text: string): SettingLines {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  return (path) => {
    const offset = keyOffset(document, path)
    return offset === undefined ? undefined : lines.linePos(offset).line
  }
}

function keyOffset(document: Document, path: readonly string[]): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const key of path) {
    const map = isAlias(node) ? node.resolve(document) : node
    if (!isMap(map)) return undefined
    const pair = map.items.find((item) => isNode(item.key) && String(item.key) === key)
    if (!pair || !isNode(pair.key)) return undefined
    offset = pair.key.range?.[0]
    node = pair.value
  }
  return offset
}
