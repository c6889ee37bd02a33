import { aliased } from './output-name.ts'
import { isCode, type Token } from './scan-sql.ts'
import { isWord, type SelectItem, type SelectList } from './select-list.ts'

/** The style of a select list. */
export interface ListStyle {
  /** True if commas are at the start of lines. */
  readonly leading: boolean
  /** True if several items share a line. */
  readonly inline: boolean
  /** The text before an item on its line; with leading commas, before the comma. */
  readonly indent: string
  /** The text between a leading comma and its item. */
  readonly gap: string
  /** The word before an alias: `as`, `AS`, or only a blank. */
  readonly as: 'as' | 'AS' | ''
  readonly newline: '\n' | '\r\n'
}

/** Reads the style of a list, completed by that of another list. */
export function readStyle(text: string, list: SelectList, other?: ListStyle): ListStyle {
  const leading = leadingCommas(text, list) ?? other?.leading ?? false
  return {
    leading,
    inline: isInline(text, list) ?? other?.inline ?? false,
    ...readIndent(text, list, leading),
    as: readAlias(list.items) ?? other?.as ?? 'as',
    newline: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

/** Returns the index of the first character of the line. */
export function lineStart(text: string, index: number): number {
  return text.lastIndexOf('\n', index - 1) + 1
}

/** Returns the index after the last character of the line, before its break. */
export function lineEnd(text: string, index: number): number {
  const found = text.indexOf('\n', index)
  const end = found < 0 ? text.length : found
  return text[end - 1] === '\r' && end > index ? end - 1 : end
}

/** Returns true if only blanks precede a place on its line. */
export function beginsLine(text: string, index: number): boolean {
  return text.slice(lineStart(text, index), index).trim() === ''
}

function leadingCommas(text: string, { items }: SelectList): boolean | undefined {
  const commas = items.slice(0, -1).flatMap(({ comma }) => comma ?? [])
  if (commas.length === 0) return undefined
  const leading = commas.filter((comma) => beginsLine(text, comma)).length
  return leading * 2 > commas.length
}

function isInline(text: string, { items }: SelectList): boolean | undefined {
  if (items.length < 2) return undefined
  return items.every(({ end }, index) => {
    const next = items[index + 1]
    return next === undefined || !text.slice(end, next.start).includes('\n')
  })
}

/** The indentation of a list whose items never start a line. */
const INDENT = '        '

function readIndent(
  text: string,
  { items }: SelectList,
  leading: boolean,
): Pick<ListStyle, 'gap' | 'indent'> {
  const before = (index: number): string => text.slice(lineStart(text, index), index)
  const own = items.findLast(({ start }) => beginsLine(text, start))
  if (!leading) return { indent: own ? before(own.start) : INDENT, gap: ' ' }
  const [comma, item] = items
    .flatMap((item, index) => {
      const { comma } = items[index - 1] ?? {}
      return comma !== undefined && beginsLine(text, comma) ? [[comma, item] as const] : []
    })
    .at(-1) ?? [undefined, undefined]
  if (comma === undefined) return { indent: own ? before(own.start) : INDENT, gap: ' ' }
  return { indent: before(comma), gap: text.slice(comma + 1, item.start).replace(/\s*\n\s*/, ' ') }
}

function readAlias(items: readonly SelectItem[]): ListStyle['as'] | undefined {
  const spelled = items.flatMap(({ name, tokens }) => {
    const code = tokens.filter(isCode)
    return name !== undefined && aliased(code) ? spellingOfAs(code) : []
  })
  const counts = Map.groupBy(spelled, (as) => as)
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

function spellingOfAs(code: readonly Token[]): ListStyle['as'] {
  const before = code.at(-2)
  if (!before || !isWord(before, 'as')) return ''
  return before.text === before.text.toUpperCase() ? 'AS' : 'as'
}

/**
 * Spells an item in the style of another list.
 *
 * @param indent The present indentation of the item.
 */
export function spellItem({ tokens }: SelectItem, indent: number, style: ListStyle): string {
  const code = tokens.filter(isCode)
  const alias = aliased(code) ? code.at(-2) : undefined
  const pieces = tokens.map((token) => {
    if (!isWord(token, 'as')) return token.text
    return token === alias ? style.as : style.as === 'AS' ? 'AS' : token.text
  })
  const deeper = ' '.repeat(style.leading ? 1 + style.gap.length : 0)
  const [first = '', ...rest] = pieces
    .join('')
    .replace(/(\s)\s+(?=\S+$)/, style.as === '' && alias ? '$1' : '$&')
    .split(/\r?\n/)
  const lines = rest.map(
    (line) => style.indent + deeper + line.slice(Math.min(indent, line.length - line.trimStart().length)),
  )
  return [first, ...lines].join(style.newline)
}
