import { foldText, LINE_WIDTH } from './fold-text.ts'

/** The place of a text. */
export interface Place {
  /** Undefined for an item of a list. */
  readonly key: string | undefined
  /** The depth of indentation, in steps of two spaces. */
  readonly depth: number
}

const ASCII = /^[ -~]+$/
const ASCII_LINES = /^[!-~][ -~\n]*[!-~]$/

/**
 * A text that begins with a letter is taken for something else only if it is one of these words, or a number to
 * YAML 1.1 that has nothing but an exponent.
 * Source: yaml.org/spec/1.1 and 1.2, "plain style"; yaml.org/type (bool, null, float).
 */
const BEGINS_PLAIN = /^[A-Za-z_]/
const MEANS_MORE = /^(?:null|true|false|yes|no|on|off|y|n|e[-+]?\d+)$/i

/** Matches text that would end a plain scalar early or begin something else. */
const ENDS_PLAIN = /: | #|[ :]$/

/** Returns true if a text of one line needs no quotes. */
export function isPlain(text: string): boolean {
  return ASCII.test(text) && BEGINS_PLAIN.test(text) && !ENDS_PLAIN.test(text) && !MEANS_MORE.test(text)
}

/**
 * Prints a text as `yaml` does: plain, in quotes or as a block.
 *
 * @returns Undefined for a text that is harder than most.
 */
export function printText(text: string, { depth, key }: Place): string | undefined {
  const indent = 2 * depth + 2
  if (text.includes('\n')) return inLines(text, indent)
  const isBare = isPlain(text)
  const printed = isBare ? text : inQuotes(text)
  if (printed === undefined || printed.length <= LINE_WIDTH - indent) return printed
  const start = key === undefined ? indent : key.length + 2
  return foldText(printed, { start, indent }, { isQuoted: printed.startsWith('"') })
}

/** Undefined for a text that may do without quotes, or that needs escapes between them. */
function inQuotes(text: string): string | undefined {
  if (!ENDS_PLAIN.test(text) || !ASCII.test(text)) return undefined
  if (text.includes('"')) return text.includes("'") ? undefined : `'${text}'`
  return text.includes('\\') ? undefined : `"${text}"`
}

/** Undefined for a text of which a line would be folded, or that begins or ends with a space or an empty line. */
function inLines(text: string, indent: number): string | undefined {
  if (!ASCII_LINES.test(text)) return undefined
  const isShort = text.split('\n').every((line) => line.length <= LINE_WIDTH - indent)
  const space = ' '.repeat(indent)
  return isShort ? `|-\n${space}${text.replace(/\n+/g, `$&${space}`)}` : undefined
}
