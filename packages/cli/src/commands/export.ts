import { printExport } from '@stagecraft/catalogs'
import { DIALECTS } from '@stagecraft/core'
import { parseSelector } from '@stagecraft/core/run'
import { type DialectName, type NamePart, StagecraftError, type TableSelector } from '@stagecraft/spec'
import { paint } from '../terminal/paint.ts'

export interface ExportFlags {
  readonly printSql?: boolean
  readonly dialect: DialectName
}

/**
 * Runs `stagecraft export --print-sql`: prints statements to run in an unreachable warehouse. `--catalog` reads their
 * result.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a dialect without such statements.
 */
export async function exportCommand(schemas: readonly string[], flags: ExportFlags): Promise<void> {
  const { dialect } = flags
  if (!flags.printSql)
    throw StagecraftError.invalid({
      path: 'export',
      expected: '--print-sql, since it runs nothing itself',
      received: 'no --print-sql',
    })
  const printed = await printExport(
    schemas.map((schema) => toPlace(schema, dialect)),
    dialect,
  )
  const isOne = printed.length === 1
  const texts = printed.map(
    ({ name, text }) => `-- save the result as ${isOne ? 'result' : name}.csv or .json\n${text};\n`,
  )
  process.stdout.write(texts.join('\n'))
  const next = isOne
    ? 'then read it with --catalog result.csv'
    : 'save all results in one folder, and read them with --catalog folder/'
  process.stderr.write(`${paint('cyan', 'note')} ${next}\n`)
}

/** Returns names as stored: the warehouse changes the case of unquoted ones. `shop.*` is the schema `shop`. */
function toPlace(text: string, dialect: DialectName): { schema: string; database?: string } {
  const { database, schema } = readSchema(text.replace(/\.\*$/, ''), dialect)
  const stored = (part: NamePart): string => storedName(part, dialect)
  return { schema: schema ? stored(schema) : text, ...(database && { database: stored(database) }) }
}

/** @throws {StagecraftError} INVALID_REQUEST for a text with other parts, such as the name of a table. */
function readSchema(text: string, dialect: DialectName): TableSelector {
  try {
    return parseSelector(`${text}.*`, DIALECTS[dialect])
  } catch (cause) {
    const parts = DIALECTS[dialect].identifiers.namespaces
    const expected = `a schema of ${dialect}: ${parts.map((_, at) => parts.slice(at).join('.')).join(', or ')}`
    const suggestion = 'quote parts that are not plain names: raw."Weird name"'
    throw StagecraftError.invalid({ path: 'schema', expected, received: `"${text}"` }, { suggestion, cause })
  }
}

function storedName({ quoted, text }: NamePart, dialect: DialectName): string {
  const { stores } = DIALECTS[dialect].identifiers
  if (quoted || stores === 'as written') return text
  return stores === 'upper' ? text.toUpperCase() : text.toLowerCase()
}
