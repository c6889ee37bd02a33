/** The file whose patterns name what dbt leaves out: https://docs.getdbt.com/reference/dbtignore */
export const IGNORE_FILE = '.dbtignore'

interface Pattern {
  readonly expression: RegExp
  /** True for `!kept.sql`, which includes a file again. */
  readonly isKept: boolean
}

/**
 * Reads patterns like git, whose syntax dbt uses.
 *
 * @returns A function that returns true if a path, relative to the project, is ignored.
 */
export function ignoredBy(text: string): (path: string) => boolean {
  const patterns = text.split(/\r?\n/).flatMap((line) => toPattern(line) ?? [])
  return (path) => patterns.findLast(({ expression }) => expression.test(path))?.isKept === false
}

function toPattern(line: string): Pattern | undefined {
  const written = line.replace(/(?<!\\) +$/, '')
  const isKept = written.startsWith('!')
  const pattern = isKept ? written.slice(1) : written
  if (pattern === '' || pattern === '/' || pattern.startsWith('#')) return undefined
  const isFolder = pattern.endsWith('/')
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '')
  // A slash at the start or inside anchors a pattern at the root.
  const isRooted = pattern.startsWith('/') || bare.includes('/')
  const expression = tryExpression(
    `^${isRooted ? '' : '(?:.*/)?'}${toExpression(bare)}${isFolder ? '/' : '(?:/|$)'}`,
  )
  return expression && { expression, isKept }
}

const SIGNS =
  /^(?<deep>\*\*\/)|(?<end>\/\*\*)$|(?<between>\/\*\*\/)|(?<any>\*+)|(?<one>\?)|(?<set>\[[!^]?\]?[^\]]+\])|\\(?<escaped>.)|(?<plain>[^*?[\\])|(?<other>.)/gs

function toExpression(pattern: string): string {
  return pattern.replaceAll(SIGNS, (sign, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (groups['deep'] !== undefined) return '(?:.*/)?'
    if (groups['end'] !== undefined) return '/.+'
    if (groups['between'] !== undefined) return '/(?:.*/)?'
    if (groups['any'] !== undefined) return '[^/]*'
    if (groups['one'] !== undefined) return '[^/]'
    if (groups['set'] !== undefined) return sign.replace(/^\[[!^]/, '[^').replaceAll('\\', '\\\\')
    return (groups['escaped'] ?? sign).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  })
}

/** A reversed range, `[z-a]`, matches nothing. */
function tryExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(source)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
