import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { configJsonSchema } from '@stagecraft/spec'
import { writeBeside } from './write-beside.ts'

/** The path of the schema below a folder in which the package is installed. */
const INSTALLED = 'node_modules/@stagecraft/cli/stagecraft.schema.json'

/** The copy for projects without the package. Commit it. */
const SCHEMA_COPY = '.stagecraft/schema.json'

/** The place of the JSON Schema for a `stagecraft.yml`. */
export interface SchemaReference {
  /** The first line of the file, which YAML language servers read. */
  readonly line: string
  /** True if `SCHEMA_COPY` must be written. */
  readonly isCopy: boolean
}

/**
 * Finds a schema for the `stagecraft.yml` in a folder that works offline and for everyone: the one in the installed
 * package, otherwise the copy in the project.
 */
export function findSchema(folder: string): SchemaReference {
  const place = installedBelow(folder)
  const path = place === undefined ? SCHEMA_COPY : relative(folder, place).split(sep).join('/')
  const start = path.startsWith('.') && !path.startsWith('.stagecraft') ? '' : './'
  return { line: `# yaml-language-server: $schema=${start}${path}`, isCopy: place === undefined }
}

function installedBelow(folder: string): string | undefined {
  const place = join(folder, INSTALLED)
  if (existsSync(place)) return place
  const above = dirname(folder)
  return above === folder ? undefined : installedBelow(above)
}

/** Writes a new `stagecraft.yml` with a reference to its schema, and the copy of the schema if needed. */
export function writeNewConfig(file: string, text: string): readonly string[] {
  const folder = dirname(file)
  const { isCopy, line } = findSchema(folder)
  const copy = join(folder, SCHEMA_COPY)
  const isMissing = isCopy && !existsSync(copy)
  if (isMissing) writeBeside(copy, printSchema()).place()
  writeBeside(file, `${line}\n${text}`).place()
  return [file, ...(isMissing ? [copy] : [])]
}

/** Returns the text of the JSON Schema of `stagecraft.yml`. */
export function printSchema(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`
}
