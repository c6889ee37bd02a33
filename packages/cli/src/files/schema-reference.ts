import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { configJsonSchema } from '@stagecraft/spec'
import { writeBeside } from './write-beside.ts'

/** The schema in the package, below a folder where it is installed. */
const INSTALLED = 'node_modules/@stagecraft/cli/stagecraft.schema.json'

/** The copy for projects without the package; it belongs under version control. */
const SCHEMA_COPY = '.stagecraft/schema.json'

/** The place of the JSON Schema of a `stagecraft.yml`. */
export interface SchemaReference {
  /** The first line of the file, which language servers for YAML follow. */
  readonly line: string
  /** The file is `SCHEMA_COPY`, and is still to be written. */
  readonly isCopy: boolean
}

/**
 * Finds a schema for a `stagecraft.yml` in a folder that is there without a network, and for everybody: that of the package
 * where it is installed in the folder or above, else the copy in the project.
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

/** Writes a new `stagecraft.yml` that editors know the schema of, and the copy of the schema where it needs one. */
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
