import { type Dialect, readRelationPart } from '@stagecraft/dialects'
import { printJinja, type RenderContext, Unrenderable } from '../jinja/jinja-value.ts'
import { renderText } from '../jinja/render.ts'
import type { ReadFile } from './facts-cache.ts'
import type { IndexedSource } from './project-index.ts'
import type { SourceFacts } from './properties-facts.ts'
import { asText } from './shapes.ts'

/** The context for translating texts of files to names in the warehouse. */
export interface Reading {
  /** The values that Jinja may use. */
  readonly context: RenderContext
  /** Undefined for an unknown warehouse. */
  readonly dialect: Dialect | undefined
}

/** Returns the declared sources of a file, with the known places of their tables. */
export function indexSources({ facts, path }: ReadFile, reading: Reading): readonly IndexedSource[] {
  return (facts.properties?.sources ?? []).map((source) => toSource(source, path, reading))
}

function toSource(source: SourceFacts, path: string, reading: Reading): IndexedSource {
  const { description, line, name, tables } = source
  // Since dbt 1.10 they may stand below config too.
  const database = source.database ?? asText(source.config?.['database'])
  const schema = source.schema ?? asText(source.config?.['schema']) ?? name
  return {
    name,
    path,
    line,
    description,
    database: database === undefined ? undefined : storedName(database, reading),
    schema: storedName(schema, reading),
    written: { database, schema },
    tables: tables.map(({ columns, description, identifier, line, name }) => ({
      name,
      // An unknown identifier is not a name in the warehouse, and matches none.
      identifier: storedName(identifier ?? name, reading) ?? identifier ?? name,
      path,
      line,
      description,
      columns,
    })),
  }
}

/** Returns the name in the warehouse for a text; undefined if its Jinja cannot be rendered. */
function storedName(text: string, { context, dialect }: Reading): string | undefined {
  try {
    return readRelationPart(printJinja(renderText(text, context)), dialect)
  } catch (error) {
    if (error instanceof Unrenderable) return undefined
    throw error
  }
}
